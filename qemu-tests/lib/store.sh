# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What is built from the same sources is built once for all checkouts: it is kept in the cache,
# under a name made of the content of the sources.

store=${SOFTUVM_CACHE:-$HOME/.cache/softuvm}/built
# How many of a kind stay: those of the last that were asked for.
store_most=8

# store_key TEXT NAME...: of the text and of what lies in files and folders, here, with their paths.
store_key() {
	local text=$1

	shift
	{
		echo "$text"
		find "$@" -type f ! -name '*.pyc' ! -name '*.orig' ! -name '.*' -print0 | sort -z | xargs -0 sha256sum --
	} | sha256sum | cut -c 1-20
}

# store_get KIND KEY DIR: copies it to DIR; false if it is not kept.
store_get() {
	[ -d "$store/$1/$2" ] && touch "$store/$1/$2" && cp -r --remove-destination "$store/$1/$2/." "$3"
}

# store_put KIND KEY NAME...: keeps these files and folders, which lie here.  Who cannot write in
# the cache goes without.
store_put() {
	local kind=$store/$1 key=$2 new old

	shift 2
	! touch -c "$kind/$key" 2> /dev/null || [ ! -d "$kind/$key" ] || return 0
	mkdir -p "$kind" && new=$(mktemp -d "$kind/.new-XXXXXX") || return 0
	if cp -rL --parents "$@" "$new" && chmod 755 "$new" && mv -T "$new" "$kind/$key" 2> /dev/null; then
		find "$kind" -mindepth 1 -maxdepth 1 -printf '%T@ %p\n' | sort -rn |
			tail -n +$((store_most + 1)) | while read -r _ old; do
			rm -rf "$old"
		done
	else
		rm -rf "$new"	# another has been faster, or there is no room
	fi
}
