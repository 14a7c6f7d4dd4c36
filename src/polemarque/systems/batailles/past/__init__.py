"""Rules as earlier editions have them, by edition: games that began with them play on by them."""
