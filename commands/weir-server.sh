#!/bin/sh
# `weir-server` of the package: one process takes the place of this shell, so that signals reach the service.
set -eu
home=$(dirname "$(readlink -f "$0")")/..
command=${1-serve}
[ $# -eq 0 ] || shift
export UV_THREADPOOL_SIZE="${UV_THREADPOOL_SIZE-48}" WEIR_COMMAND=weir-server
case "$command" in
  serve) exec node --max-semi-space-size=64 "$home/dist/api/main.js" ;;
  demo) exec node "$home/dist/examples/demo.js" "$@" ;;
  key | backup | restore) exec node "$home/dist/commands/$command.js" "$@" ;;
  *)
    echo "weir-server [serve]                serves on HOST and PORT (127.0.0.1, 18080); settings are environment variables
weir-server demo [--reset]         loads 20,000 flights into the service at WEIR_URL, and asks every kind of question
weir-server key --name N --scopes S    makes a key
weir-server backup FOLDER          copies the data of a running service
weir-server restore FOLDER         writes a copy into an empty DATA_DIR" >&2
    [ "$command" = help ] || [ "$command" = --help ] || exit 2
    ;;
esac
