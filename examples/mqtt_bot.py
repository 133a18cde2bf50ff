"""A bot over MQTT that needs only the protocol: it plays the first move that it finds."""

import json
import secrets
import sys

import paho.mqtt.client as mqtt

host, port, name, token = sys.argv[1:]
topic, word = f"plywire/main/bots/{name}", secrets.token_hex(8)
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
sent = received = 0
players = ["", ""]


def say(**message: object) -> None:
    """Send a command, in a frame of its own."""
    global sent
    sent += 1
    client.publish(f"{topic}/out", f"{word} {sent}\n{json.dumps(message)}", qos=1)


def presence(online: bool) -> str:
    """What the server and others are told of this bot."""
    return json.dumps({"online": online, "connection": word})


def on_message(client: mqtt.Client, data: object, frame: mqtt.MQTTMessage) -> None:
    """Take a frame, unless it is another connection's, or was there before."""
    global received
    head, _, lines = frame.payload.decode().partition("\n")
    theirs, number = head.split()
    if theirs == word and (number == "0" or int(number) > received + 1):
        sys.exit("the connection is lost")
    if theirs == word and int(number) == received + 1:
        received += 1
        for line in lines.splitlines():
            answer(json.loads(line))


def answer(event: dict) -> None:
    """Do what an event asks for."""
    match event["type"]:
        case "welcome":
            say(type="seek", game="connect4", limits={"movetime": 1000})
        case "start":
            players[:] = [name, event["opponent"]][:: 1 if event["player"] == 1 else -1]
        case "probe":
            say(type="echo", number=event["number"])
        case "turn":
            full = {c for c in "1234567" if event["moves"].count(c) == 6}
            move = min(set("1234567") - full, key=lambda c: abs(int(c) - 4))
            say(type="play", table=event["table"], turn=event["turn"], move=move)
        case "over":
            winner = players[event["winner"] - 1] if event["winner"] else "nobody"
            print(f"{winner} won: {event['reason']}")
            client.publish(f"{topic}/presence", presence(False), qos=1, retain=True)
            client.disconnect()
        case "error" | "bye":
            sys.exit(str(event))


client.on_message = on_message
client.will_set(f"{topic}/presence", presence(False), qos=1, retain=True)
client.connect(host, int(port))
client.subscribe(f"{topic}/in", qos=1)
client.publish(f"{topic}/presence", presence(True), qos=1, retain=True)
say(type="login", name=name, token=token)
client.loop_forever()
