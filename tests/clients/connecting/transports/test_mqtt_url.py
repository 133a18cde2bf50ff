import pytest

from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.clients.connecting.transports.url import split_url, url_for, without_password


def test_all_of_it() -> None:
    url = MqttUrl.parse("mqtts://an%40n:s%3Acret@[::1]:9999/cup/ann")
    assert url == MqttUrl("::1", 9999, True, "an@n", "s:cret", "cup", "ann")
    assert MqttUrl.parse(str(url)) == url


def test_what_may_be_left_out() -> None:
    assert MqttUrl.parse("mqtt://broker") == MqttUrl("broker", 1883)
    assert MqttUrl.parse("mqtts://broker/") == MqttUrl("broker", 8883, True)
    assert MqttUrl.parse("mqtt://broker/cup").arena == "cup"


@pytest.mark.parametrize(
    "url",
    ["tcp://broker", "mqtt://", "mqtt://broker:x", "mqtt://b/a/n/x", "mqtt://b/a+", "mqtt://b?q=1"],
)
def test_what_is_none(url: str) -> None:
    with pytest.raises(ValueError, match=r"expected mqtt://|is no name"):
        MqttUrl.parse(url)


def test_a_bot_needs_topics_of_its_own() -> None:
    assert url_for("mqtt://broker", "ann") == "mqtt://broker:1883/main/ann"
    assert url_for("mqtt://broker/cup/bob", "ann") == "mqtt://broker:1883/cup/bob"
    assert url_for("tcp://server", "ann") == "tcp://server"
    with pytest.raises(ValueError, match="names no bot"):
        split_url("mqtt://broker/cup")
    with pytest.raises(ValueError, match="not a server's URL"):
        url_for("http://server", "ann")


def test_passwords_are_not_shown() -> None:
    assert without_password("mqtt://ann:secret@broker:1/main/ann") == "mqtt://broker:1/main/ann"
    assert without_password("tcp://server:7590") == "tcp://server:7590"
