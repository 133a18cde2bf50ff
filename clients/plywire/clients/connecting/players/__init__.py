"""Players that are programs or servers, and the specs that name players."""
