import { memo } from 'react';
import { familyOf } from './font-family.ts';
import { PAGE, type CodeMark, type Mark, type PortraitMark, type TextMark } from './pdf/marks.ts';

interface CvPreviewProps {
  /** What is drawn, by page. */
  pages: readonly (readonly Mark[])[];
  /** URL of the portrait; null without one. */
  portrait: string | null;
}

/** The pages as they will be printed, drawn from the same marks and with the same fonts as the PDF. */
export const CvPreview = memo(function CvPreview({ pages, portrait }: CvPreviewProps) {
  return (
    <div className="space-y-4">
      {pages.map((marks, page) => (
        <svg
          key={page}
          viewBox={`0 0 ${PAGE.width} ${PAGE.height}`}
          // Letters stay where the PDF has them, also when the page is small.
          textRendering="geometricPrecision"
          role="img"
          aria-label={`Preview of page ${page + 1} of ${pages.length}`}
          className="w-full rounded-xl border border-base-300 bg-white"
        >
          {marks.map((mark, index) => (
            <DrawnMark key={index} mark={mark} portrait={portrait} />
          ))}
        </svg>
      ))}
    </div>
  );
});

function DrawnMark({ mark, portrait }: { mark: Mark; portrait: string | null }) {
  switch (mark.kind) {
    case 'text':
      return <DrawnText mark={mark} />;
    case 'rule':
      return <rect x={mark.x} y={mark.y} width={mark.width} height={mark.height} fill={mark.color} />;
    case 'portrait':
      return portrait && <DrawnPortrait mark={mark} src={portrait} />;
    case 'code':
      return <DrawnCode mark={mark} />;
  }
}

function DrawnText({ mark: { y, size, weight, color, runs } }: { mark: TextMark }) {
  return runs.map((run, index) => (
    <text
      key={index}
      x={run.x}
      y={y}
      fontSize={size}
      fill={color}
      fontFamily={run.face === null ? 'sans-serif' : `${familyOf(run.face)}, sans-serif`}
      // The file of each weight is a family of its own.
      fontWeight={run.face === null && weight === 'bold' ? 700 : 400}
      letterSpacing={0}
    >
      {run.text}
    </text>
  ));
}

const CLIP = 'cv-portrait';

function DrawnPortrait({ mark: { x, y, width, height, radius }, src }: { mark: PortraitMark; src: string }) {
  return (
    <>
      <clipPath id={CLIP}>
        <rect x={x} y={y} width={width} height={height} rx={radius} />
      </clipPath>
      <image href={src} x={x} y={y} width={width} height={height} clipPath={`url(#${CLIP})`} />
    </>
  );
}

function DrawnCode({ mark: { x, y, size, modules, path, color } }: { mark: CodeMark }) {
  return (
    <path
      d={path}
      fill={color}
      transform={`translate(${x} ${y}) scale(${size / modules})`}
      shapeRendering="crispEdges"
    />
  );
}
