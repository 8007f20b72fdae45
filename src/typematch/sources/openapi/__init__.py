"""Read OpenAPI documents and Postman collections: services, their operations, their schemas."""

from typematch.sources.openapi.loading import DocumentError
from typematch.sources.openapi.pointers import SiblingDocuments
from typematch.sources.openapi.postman import is_postman, read_postman
from typematch.sources.openapi.read import read_openapi
from typematch.sources.openapi.service import TEXT_SPECIFIER

__all__ = [
    "TEXT_SPECIFIER",
    "DocumentError",
    "SiblingDocuments",
    "is_postman",
    "read_openapi",
    "read_postman",
]
