"""Skins over ``Catalog``: whatever they can do, Python can do too."""
