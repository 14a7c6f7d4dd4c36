"""What each of our systems shows: its map or board, its film, its campaign sheet."""
