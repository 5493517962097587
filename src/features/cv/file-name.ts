/** 'Meera Kulkarni CV.pdf', without what file systems refuse. */
export function toFileName(name: string): string {
  const kept = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/\s+/gu, ' ');
  return `${kept.trim()} CV.pdf`.trim();
}
