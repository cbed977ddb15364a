"""CodeGrade: the folders of its file system."""
