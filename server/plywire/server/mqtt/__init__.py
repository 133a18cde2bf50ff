"""MQTT brokers: one of our own, or the link to another's."""
