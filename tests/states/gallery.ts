/** The page that shows all states side by side. */

declare const FIXTURES: readonly { group: string; state: string; host: string }[];

const CHOICES = {
  width: { phone: [390, 844], computer: [1280, 900] },
  theme: { day: 'callboard', night: 'blackout' },
  letters: { usual: 100, 'twice as large': 200 },
} as const;
const SCALE = 0.5;

type Chosen = { [K in keyof typeof CHOICES]: keyof (typeof CHOICES)[K] };
const chosen: Chosen = { width: 'phone', theme: 'day', letters: 'usual' };

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

function pick<K extends keyof Chosen>(name: K): HTMLElement {
  const options = Object.keys(CHOICES[name]).map((value) => make('option', { value }, value));
  const select = make('select', {}, ...options);
  select.addEventListener('change', () => {
    chosen[name] = select.value as Chosen[K];
    draw();
  });
  return make('label', {}, `${name} `, select);
}

function frame({ state, host }: (typeof FIXTURES)[number]): HTMLElement {
  const [width, height] = CHOICES.width[chosen.width];
  const options = `theme=${CHOICES.theme[chosen.theme]}&letters=${CHOICES.letters[chosen.letters]}`;
  const src = `http://${host}.${location.host}/states/begin?${options}`;
  const view = make('iframe', { src, title: state, width: String(width), height: String(height), loading: 'lazy' });
  view.style.transform = `scale(${SCALE})`;
  const box = make('div', { className: 'frame' }, view);
  Object.assign(box.style, { width: `${width * SCALE}px`, height: `${height * SCALE}px` });
  const link = make('a', { href: src, target: '_blank' }, state);
  return make('figure', {}, make('figcaption', {}, link), box);
}

function draw(): void {
  const groups = [...new Set(FIXTURES.map(({ group }) => group))];
  document
    .querySelector('main')!
    .replaceChildren(
      ...groups.map((group) =>
        make(
          'section',
          {},
          make('h2', {}, group),
          make('div', { className: 'fixtures' }, ...FIXTURES.filter((fixture) => fixture.group === group).map(frame)),
        ),
      ),
    );
}

const header = document.querySelector('header')!;
header.append(make('strong', {}, `${FIXTURES.length} states`), pick('width'), pick('theme'), pick('letters'));
draw();
