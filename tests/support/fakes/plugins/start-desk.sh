#!/bin/sh
# Starts desk.py in a folder with the generated code.
cd "$FOLDER" && exec "$PYTHON" "$DESK"
