"""Order forms for posts and mails, and answers that people type."""
