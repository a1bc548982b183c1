"""The events of an account: a row for each type, for what stores, sends, shows and describes them."""
