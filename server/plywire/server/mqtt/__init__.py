"""The server's side of MQTT brokers."""
