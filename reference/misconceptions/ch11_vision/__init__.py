"""What goes wrong in chapter 11: pictures cut into patches, embedded, classified, counted and looked into."""
