import type { RefObject } from 'react';

interface FilePickerProps {
  ref: RefObject<HTMLInputElement | null>;
  /** MIME types and file extensions, as in the `accept` attribute. */
  accept: string;
  multiple?: boolean;
  /** Opens the device's camera directly. */
  camera?: boolean;
  testId?: string;
  /** Called with at least one file. */
  onPick: (files: File[]) => void;
}

/** A hidden file input. A click on the ref opens the device's file chooser. */
export function FilePicker({ ref, accept, multiple, camera = false, testId, onPick }: FilePickerProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={accept}
      multiple={multiple}
      capture={camera ? 'environment' : undefined}
      data-testid={testId}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])];
        // Reset, so that choosing the same file again triggers a change event.
        event.target.value = '';
        if (files.length > 0) onPick(files);
      }}
    />
  );
}
