#!/bin/sh
# Makes the bucket and a key that can do nothing but use it. Runs at every start, and changes only what differs.
set -eu
mc mb --ignore-existing storage/callboard
mc admin user add storage "$S3_ACCESS_KEY_ID" "$S3_SECRET_ACCESS_KEY"
mc admin policy create storage callboard-files /policy.json
case "$(mc admin user info storage "$S3_ACCESS_KEY_ID")" in
*callboard-files*) ;;
*) mc admin policy attach storage callboard-files --user "$S3_ACCESS_KEY_ID" ;;
esac
