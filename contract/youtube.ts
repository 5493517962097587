const PAGE =
  /^(?:https?:\/\/)?(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|(?:shorts|embed|live|v)\/)([\w-]{11})(?![\w-])/i;
const SHORT = /^(?:https?:\/\/)?youtu\.be\/([\w-]{11})(?![\w-])/i;

/** Returns the video id from any form of YouTube link, or null when the link is not one. */
export function youtubeId(link: string): string | null {
  const text = link.trim();
  return PAGE.exec(text)?.[1] ?? SHORT.exec(text)?.[1] ?? null;
}

/** Returns the address of a video's page. */
export const youtubePage = (id: string): string => `https://www.youtube.com/watch?v=${id}`;
