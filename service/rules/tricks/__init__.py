"""The rules of tricks: reading leads, testing throws, following, winning. `trick_rules` is the public interface."""
