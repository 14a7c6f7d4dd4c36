"""How dates are written, where Django's own way is another country's."""
