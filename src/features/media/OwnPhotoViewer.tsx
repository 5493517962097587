import { useAccount } from '#session/session.tsx';
import { tellTrouble } from '#session/trouble.ts';
import { confirm } from '#ui/confirm.tsx';
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
    await tellTrouble(engine.remove('media', photo.id).then(props.onClose));
  };
  return <PhotoViewer {...props} onDelete={(photo) => void handleDelete(photo)} />;
}
