#!/usr/bin/env python3
"""A plugin with one tool, get_weather. README.md says how to run it, and docs/plugins-grpc.md describes the whole
contract."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "gen"))

from waystation_plugin import Context, Plugin, PluginError

WEATHER = {"bergen": (9, "rain"), "cairo": (28, "sun"), "lima": (19, "fog")}

plugin = Plugin(
    "weather",
    version="1.0.0",
    description="The usual weather of some cities",
    author="Waystation",
    settings={
        "unit": {
            "type": "string",
            "options": ["celsius", "fahrenheit"],
            "default": "celsius",
            "description": "The unit of temperatures",
        }
    },
)


@plugin.tool(description="Returns the usual weather of a city: " + ", ".join(WEATHER))
def get_weather(city: str, context: Context) -> dict:
    if city.lower() not in WEATHER:
        raise PluginError("NOT_FOUND", f"The weather of {city} is unknown.")
    degrees, sky = WEATHER[city.lower()]
    if context.settings["unit"] == "fahrenheit":
        degrees = round(degrees * 9 / 5 + 32)
    return {"city": city, "temperature": degrees, "sky": sky}


plugin.serve("127.0.0.1:9010")
