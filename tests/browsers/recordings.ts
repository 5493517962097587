import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const SOUND = 'audiotestsrc num-buffers=300 ! audio/x-raw,rate=44100,channels=1';
const PICTURE = 'videotestsrc num-buffers=150 ! video/x-raw,width=320,height=240,framerate=25/1';

/** GStreamer pipelines that encode a few seconds of audio and video as phones do. */
const PIPELINES = {
  'memo.m4a': `${SOUND} ! avenc_aac ! aacparse ! mp4mux ! OUT`,
  'radio.mp3': `${SOUND} ! lamemp3enc ! OUT`,
  'scene.mp4': `mp4mux name=film ! OUT ${PICTURE} ! openh264enc ! h264parse ! film. ${SOUND} ! avenc_aac ! aacparse ! film.`,
};

/** Encodes a file into a folder. @returns its path */
export async function encodeMedia(folder: string, name: keyof typeof PIPELINES): Promise<string> {
  const file = path.join(folder, name);
  const pipeline = PIPELINES[name].replace('OUT', `filesink location=${file}`);
  await promisify(execFile)('gst-launch-1.0', ['-q', ...pipeline.split(' ')]);
  return file;
}

/** A video whose audio every device can play, and whose picture none can decode. */
export async function makeUndecodableVideo(folder: string): Promise<Buffer> {
  const bytes = await readFile(await encodeMedia(folder, 'scene.mp4'));
  const at = bytes.indexOf('avc1', bytes.indexOf('stsd'));
  bytes.write('zvc9', at);
  return bytes;
}
