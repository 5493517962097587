/** Saves a file as a browser download. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Most browsers start the download in the next task; Safari needs longer.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
