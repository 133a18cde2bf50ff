"""MQTT: a broker of our own, or a connection to another broker."""
