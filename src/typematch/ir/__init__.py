"""What a type is, what a declaration is, what an entry is: values shared by every room."""
