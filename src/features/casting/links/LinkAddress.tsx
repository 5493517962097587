import { Copy, Share2 } from 'lucide-react';
import { useState } from 'react';
import { dropToken, type LinkItem } from '#db/casting-links.ts';
import { useAccount } from '#session/session.tsx';
import { Button } from '#ui/Button.tsx';
import { copyText, LINK_COPIED } from '#ui/copy-text.ts';
import { deviceWord } from '#ui/device.ts';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { toLinkAddress } from './link-token.ts';

interface LinkAddressProps {
  link: LinkItem;
  onClose: () => void;
}

/** The address of a new link, to copy or send. After that, no device shows it again. */
export function LinkAddress({ link, onClose }: LinkAddressProps) {
  const { db } = useAccount();
  // Kept here: the stored token goes as soon as the address was passed on.
  const [token] = useState(link.token);
  const [isPassedOn, setIsPassedOn] = useState(false);
  if (token === null) {
    return (
      <Sheet title={`Link for ${link.body.name}`} onClose={onClose}>
        <p>This address was copied or sent already, and is not shown again. If it got lost, make another link.</p>
      </Sheet>
    );
  }
  const url = toLinkAddress(location.origin, link.name, token, link.hasCode);
  const handlePassedOn = () => {
    setIsPassedOn(true);
    dropToken(db, link.body.token_hash).catch(reportError);
  };
  const handleSend = () => {
    navigator.share({ title: 'Tapes to watch', url }).then(handlePassedOn, (error: unknown) => {
      // An AbortError means that the person closed the share dialog.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast({ text: 'Failed to share!' });
    });
  };
  return (
    <Sheet title={`Link for ${link.body.name}`} onClose={onClose}>
      <div className="flex items-center gap-2 rounded-field border border-field p-1 pl-3.5">
        <span className="min-w-0 grow truncate text-[0.9375rem]" title={url}>
          {url.replace(/^https?:\/\//, '')}
        </span>
        <Button
          look="tonal"
          icon={Copy}
          aria-label="Copy link"
          onClick={() => void copyText(url, LINK_COPIED).then((isCopied) => isCopied && handlePassedOn())}
        >
          Copy
        </Button>
      </div>
      {'share' in navigator && (
        <Button look="tonal" icon={Share2} className="w-full" onClick={handleSend}>
          Send
        </Button>
      )}
      {link.serverId === null && (
        <p className="text-sm font-semibold" role="status">
          The link is on this {deviceWord()} so far. It works once it has been sent, which happens by itself.
        </p>
      )}
      <p className="text-sm text-muted">
        {isPassedOn
          ? 'This was the only time that the address is shown. If it gets lost, revoke the link and make another one.'
          : `The address is kept on this ${deviceWord()} until you have copied or sent it, and is never shown again after that.`}
        {link.hasCode && ' Whoever opens it is asked for the code, which is not part of it.'}
      </p>
    </Sheet>
  );
}
