import { ChevronRight } from 'lucide-react';
import { Link, Navigate, useParams } from '#ui/router.tsx';
import { GUIDE_GROUPS } from 'virtual:guides';
import { Card } from '#ui/Card.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import type { Block, Guide, Inline } from './guide.ts';

/** All guides, grouped by audience. They are part of the app, so they can be read offline. */
export function Help() {
  usePageTitle('Help');
  return (
    <div className="mx-auto grid max-w-3xl gap-3 px-3 pt-2 pb-8 md:gap-4 md:px-6 md:pt-6">
      <h1 className="px-1 text-[1.75rem] font-bold">Help</h1>
      {GUIDE_GROUPS.map(({ title, guides }) => (
        <Card key={title} title={title}>
          <ul>
            {guides.map((guide) => (
              <li key={guide.slug} className="border-t border-base-300 first:border-t-0">
                <Link to={`/help/${guide.slug}`} className="flex min-h-12 items-center gap-2 py-2 font-semibold">
                  <span className="grow">{guide.title}</span>
                  <ChevronRight className="ic text-muted" aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      ))}
      <p className="px-1 text-muted">
        Is something not working? See{' '}
        <Link to="/support" className="font-semibold text-primary underline">
          Support
        </Link>
        .
      </p>
    </div>
  );
}

/** One guide with a link to the next. An unknown address redirects to the list. */
export function HelpGuide() {
  const { slug } = useParams();
  const group = GUIDE_GROUPS.find(({ guides }) => guides.some((guide) => guide.slug === slug));
  const index = group?.guides.findIndex((guide) => guide.slug === slug) ?? -1;
  const guide = group?.guides[index];
  if (!guide) return <Navigate to="/help" replace />;
  return <Page key={guide.slug} guide={guide} groupTitle={group.title} next={group.guides[index + 1]} />;
}

interface PageProps {
  guide: Guide;
  groupTitle: string;
  next: Guide | undefined;
}

function Page({ guide, groupTitle, next }: PageProps) {
  usePageTitle(guide.title);
  return (
    <article className="mx-auto max-w-2xl px-4 pt-4 pb-8 md:px-6 md:pt-8">
      <nav aria-label="Help" className="text-sm text-muted">
        <Link to="/help" className="inline-flex min-h-11 items-center font-semibold text-primary">
          Help
        </Link>{' '}
        › {groupTitle}
      </nav>
      <h1 className="text-[1.75rem] leading-tight font-bold">{guide.title}</h1>
      <div className="space-y-3 pt-3 text-[0.96875rem] leading-relaxed">
        {guide.blocks.map((block, index) => (
          <BlockView key={index} block={block} />
        ))}
      </div>
      {next && (
        <Link
          to={`/help/${next.slug}`}
          className="notice mt-8 flex min-h-14 items-center gap-2 px-4 py-3 font-semibold text-primary"
        >
          <span className="grow">Next: {next.title}</span>
          <ChevronRight className="ic" aria-hidden />
        </Link>
      )}
    </article>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <h2 className="pt-3 text-lg font-bold">{block.text}</h2>;
    case 'text':
      return (
        <p>
          <Line line={block.line} />
        </p>
      );
    case 'list': {
      const List = block.isNumbered ? 'ol' : 'ul';
      return (
        <List className={`space-y-1.5 pl-6 ${block.isNumbered ? 'list-decimal' : 'list-disc'}`}>
          {block.lines.map((line, index) => (
            <li key={index}>
              <Line line={line} />
            </li>
          ))}
        </List>
      );
    }
    case 'picture':
      return (
        <img
          src={block.src}
          alt={block.alt}
          width={block.width}
          height={block.height}
          loading="lazy"
          className="notice mx-auto h-auto max-w-full"
        />
      );
  }
}

function Line({ line }: { line: readonly Inline[] }) {
  return line.map((part, index) => {
    if (typeof part === 'string') return part;
    if ('strong' in part) return <b key={index}>{part.strong}</b>;
    return (
      <Link key={index} to={part.to} className="font-semibold text-primary underline">
        {part.link}
      </Link>
    );
  });
}
