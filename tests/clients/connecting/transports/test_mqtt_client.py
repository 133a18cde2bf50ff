"""The private parts of aiomqtt that the client of brokers uses."""

import asyncio

import paho.mqtt.client

from plywire.clients.connecting.transports.mqtt_client import BrokerClient
from plywire.clients.connecting.transports.mqtt_url import MqttUrl


async def test_the_library_still_has_them() -> None:
    client = BrokerClient(MqttUrl("127.0.0.1", 1883), "status", "gone")
    assert isinstance(client._disconnected, asyncio.Future)
    assert isinstance(client._client, paho.mqtt.client.Client)
    assert client._client.socket() is None  # not connected yet
