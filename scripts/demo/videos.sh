#!/bin/sh
# Makes the demo's short films: a slow move over a drawing. Needs ffmpeg with libx264; run it in the project's folder.
set -e
for name in chowk kathak night rain; do
  ffmpeg -loglevel error -y -i "server/demo/photos/$name.jpg" \
    -vf "crop=iw:iw*9/16:0:ih*0.12,scale=1920:-1,zoompan=z='1+0.0012*on':x='iw/2-(iw/zoom/2)':y='ih/2-(ih/zoom/2)':d=120:s=480x270:fps=15" \
    -c:v libx264 -preset veryslow -crf 32 -pix_fmt yuv420p -movflags +faststart -map_metadata -1 -fflags +bitexact \
    "server/demo/videos/$name.mp4"
done
