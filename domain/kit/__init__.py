"""What a title is made of, and the changes that every title writes."""
