"""Read OpenAPI documents and Postman collections: services, their operations, their schemas.

Indexing imports ``loading`` alone unless there is a document: pydantic takes long to import.
"""
