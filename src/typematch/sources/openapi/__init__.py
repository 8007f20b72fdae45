"""Read descriptions of services: OpenAPI documents."""

from typematch.sources.openapi.loading import DocumentError
from typematch.sources.openapi.pointers import Beside
from typematch.sources.openapi.read import READS, read_openapi, unreadable

__all__ = ["READS", "Beside", "DocumentError", "read_openapi", "unreadable"]
