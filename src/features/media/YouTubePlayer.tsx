import { ExternalLink, Play } from 'lucide-react';
import { useState } from 'react';
import { youtubeId, youtubePage } from '#contract/youtube.ts';
import type { MediaItem } from '#db/queries.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { getMediaName } from './media-item.ts';

/** A YouTube video. Nothing is requested from YouTube before the click; until then, a drawn curtain is shown. */
export function YouTubePlayer({ video, link }: { video: MediaItem; link: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const isOnline = useOnline();
  const id = youtubeId(link);
  const name = getMediaName(video);
  if (id === null) return <p className="px-6 text-center">The link to this video does not work.</p>;
  return (
    <div className="flex size-full flex-col items-center justify-center gap-2">
      <div className="relative aspect-video w-full max-w-[min(100%,calc(70dvh*16/9))] overflow-hidden bg-[#2a0f12]">
        {isOpen ? (
          <iframe
            src={`https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`}
            title={name}
            className="absolute inset-0 size-full border-0"
            allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
            referrerPolicy="strict-origin-when-cross-origin"
            sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
            allowFullScreen
          />
        ) : (
          <button
            type="button"
            aria-label={`Play ${name} from YouTube`}
            className="absolute inset-0 grid size-full cursor-pointer place-items-center disabled:cursor-default"
            disabled={!isOnline}
            onClick={() => setIsOpen(true)}
          >
            <Curtain />
            <span className="relative grid size-16 place-items-center rounded-full bg-black/70">
              <Play className="size-7 fill-current" aria-hidden />
            </span>
          </button>
        )}
      </div>
      <p className="px-4 text-center text-sm text-white/80">
        {isOnline ? 'This plays from YouTube.' : 'Go online to play this.'}{' '}
        <a
          href={youtubePage(id)}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-1 font-semibold text-white underline"
        >
          Open on YouTube
          <ExternalLink className="size-4" aria-hidden />
        </a>
      </p>
    </div>
  );
}

function Curtain() {
  return (
    <svg viewBox="0 0 160 90" preserveAspectRatio="none" className="absolute inset-0 size-full" aria-hidden>
      <rect width="160" height="90" fill="#6d1f22" />
      {Array.from({ length: 10 }, (_, fold) => (
        <rect key={fold} x={fold * 16} width="7" height="90" fill="#4a1216" />
      ))}
      <rect y="80" width="160" height="10" fill="#1c0c0d" />
    </svg>
  );
}
