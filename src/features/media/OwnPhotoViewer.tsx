import { useAccount } from '#session/session.tsx';
import { StorageTrouble } from '#sync/trouble.ts';
import { confirm } from '#ui/confirm.tsx';
import { storageWords } from '#ui/storage-words.ts';
import { toast } from '#ui/Toast.tsx';
import type { Photo } from './photo.ts';
import { PhotoViewer, type PhotoViewerProps } from './PhotoViewer.tsx';

/** The owner's photos on black, with the way to delete one. */
export function OwnPhotoViewer(props: Omit<PhotoViewerProps, 'onDelete'>) {
  const { engine } = useAccount();
  const handleDelete = async (photo: Photo) => {
    const isSure = await confirm({
      title: 'Are you sure you want to delete this media?',
      yes: 'Yes I Know!',
      danger: true,
    });
    if (!isSure) return;
    try {
      await engine.remove('media', photo.id);
      props.onClose();
    } catch (error) {
      if (!(error instanceof StorageTrouble)) throw error;
      toast({ text: storageWords(error.reason) });
    }
  };
  return <PhotoViewer {...props} onDelete={(photo) => void handleDelete(photo)} />;
}
