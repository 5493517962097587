const PAGE =
  /^(?:https?:\/\/)?(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|(?:shorts|embed|live|v)\/)([\w-]{11})(?![\w-])/i;
const SHORT = /^(?:https?:\/\/)?youtu\.be\/([\w-]{11})(?![\w-])/i;

/** The id of the video a link plays, however it is shared; null where it plays none. */
export function youtubeId(link: string): string | null {
  const text = link.trim();
  return PAGE.exec(text)?.[1] ?? SHORT.exec(text)?.[1] ?? null;
}

/** Where people watch it. */
export const youtubePage = (id: string): string => `https://www.youtube.com/watch?v=${id}`;
