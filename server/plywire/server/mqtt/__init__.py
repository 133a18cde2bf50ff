"""MQTT brokers: one of our own, or a connection to another's."""
