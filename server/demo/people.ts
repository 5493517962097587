import type { AnyRow } from '#contract/section.ts';
import type { DemoMedia, DemoPerson } from './person.ts';

const credit = (
  experience_type: string,
  experience_title: string,
  details: string,
  production_details: string,
  from: [month: number, year: number],
  to: [month: number, year: number],
): AnyRow => ({
  experience_type,
  experience_title,
  details,
  production_details,
  start_month: from[0],
  start_year: from[1],
  end_month: to[0],
  end_year: to[1],
});
const skills = (...list: [name: string, level: 1 | 2 | 3][]): AnyRow[] =>
  list.map(([name, level]) => ({ name, level }));

/** What Meera's portfolio holds beside her photos; added once the server listens. */
const MEERAS_REELS: DemoMedia[] = [
  { kind: 'image', name: 'Headshot, night', fields: { category_type: 'Headshot' }, drawing: 'night' },
  { kind: 'image', name: 'Kathak, solo', fields: { category_type: 'Still' }, drawing: 'kathak' },
  {
    kind: 'image',
    name: 'Look test, glasses',
    fields: { category_type: 'Headshot' },
    face: { hair: 'bob', hasBeard: false, hasGlasses: true, seed: 2 },
  },
  {
    kind: 'image',
    name: 'Look test, long hair',
    fields: { category_type: 'Headshot' },
    face: { hair: 'long', hasBeard: false, hasGlasses: false, seed: 6 },
  },
  {
    kind: 'video',
    name: 'The Long Monsoon',
    fields: { category_type: 'Drama', role: 'Ira' },
    language: 'Hindi',
    drawing: 'rain',
  },
  {
    kind: 'video',
    name: 'Midnight Local',
    fields: { category_type: 'Crime', role: 'Inspector Joshi' },
    language: 'Hindi',
    drawing: 'night',
  },
  {
    kind: 'video',
    name: 'Chowk No. 7',
    fields: { category_type: 'Theatre', role: 'Sulbha' },
    language: 'Marathi',
    drawing: 'chowk',
  },
  { kind: 'video', name: 'Kathak solo', fields: { category_type: 'Dance', role: 'Self' }, drawing: 'kathak' },
  {
    kind: 'audio',
    name: 'Warm narration',
    fields: { category_type: 'Narration', voice_age: '26 to 34', voice_style: 'Storyteller' },
    language: 'Marathi',
    hum: { seconds: 14, pitch: 195, seed: 3 },
  },
  {
    kind: 'audio',
    name: 'Radio spot, bright',
    fields: { category_type: 'Commercial', voice_age: '20 to 30' },
    language: 'Hindi',
    hum: { seconds: 8, pitch: 230, seed: 5 },
  },
  {
    kind: 'audio',
    name: 'Game villain',
    fields: { category_type: 'Character', voice_age: '40 to 50' },
    language: 'English',
    hum: { seconds: 10, pitch: 140, seed: 8 },
  },
  {
    kind: 'audio',
    name: 'Documentary, calm',
    fields: { category_type: 'Narration', voice_age: '30 to 40' },
    language: 'Hindi',
    hum: { seconds: 16, pitch: 180, seed: 11 },
  },
  {
    kind: 'document',
    name: 'Resume Meera Kulkarni',
    fields: { category_type: 'CV' },
    lines: [
      'Meera Kulkarni',
      'Stage and screen actor, Mumbai',
      'Plays 26 to 34 · 168 cm',
      'Marathi, Hindi, English',
      '2026 Paper Boats, Tara, TV',
      '2025 The Long Monsoon, Ira, Movie',
      '2024 Chowk No. 7, Sulbha, Theatre',
    ],
  },
  {
    kind: 'document',
    name: 'Union card',
    fields: { category_type: 'Certificate' },
    lines: ['Union card', 'Meera Kulkarni', 'Member since 2021'],
  },
];

/** The first person is the demo account. */
export const DEMO_PEOPLE: DemoPerson[] = [
  {
    name: 'Meera Kulkarni',
    email: 'meera@callboard.example',
    profiles: [
      {
        type: 'actor-performer',
        stage_name: 'Meera Kulkarni',
        portrait: 'meera',
        media: [
          { kind: 'image', name: 'Headshot, morning light', fields: { category_type: 'Headshot' }, drawing: 'morning' },
          { kind: 'image', name: 'Chowk No. 7, last scene', fields: { category_type: 'Still' }, drawing: 'chowk' },
          { kind: 'image', name: 'The Long Monsoon', fields: { category_type: 'Still' }, drawing: 'rain' },
        ],
        laterMedia: MEERAS_REELS,
        title: 'Stage and screen actor',
        location: 'Mumbai',
        industry: 'Feature film',
        per_day: 18_000,
        dob: '1996-08-14',
        min_age_range: 26,
        max_age_range: 34,
        description:
          'I came up through Marathi experimental theatre and learned camera on short films. I like people who hide things badly. Comfortable with long takes, dialect work and rain.',
        sections: {
          experience: [
            credit('TV', 'Paper Boats', 'Tara', 'Dir. Rohan D’Souza', [1, 2026], [6, 2026]),
            credit('Movie', 'The Long Monsoon', 'Ira (lead)', 'Dir. Devika Rao', [6, 2025], [9, 2025]),
            credit('Theatre', 'Chowk No. 7', 'Sulbha', 'Rangvedh Company', [2, 2024], [5, 2024]),
            credit('TV', 'Midnight Local', 'Inspector Joshi', 'Harbour Line Pictures', [6, 2023], [12, 2023]),
            credit('Theatre', 'Salt Water', 'Chorus, Kamla', 'Rangvedh Company', [8, 2022], [10, 2022]),
            credit('Movie', 'The Salt Road', 'Revati', 'Dir. Anand Joglekar', [11, 2021], [12, 2021]),
            credit('Video', 'First Light', 'The dancer', 'Kite String Media', [4, 2021], [4, 2021]),
            credit('Theatre', 'Three Umbrellas', 'The Mother', 'Studio Akshar', [1, 2020], [3, 2020]),
            credit('Theatre', 'The Lamp Keeper', 'Champa', 'Blue Door Theatre', [9, 2018], [11, 2018]),
          ],
          skill: skills(['Kathak', 3], ['Stage combat', 2], ['Horse riding', 2], ['Scooter and car', 3]),
          education: [
            {
              description: 'Rangvedh School of Drama',
              course_name: 'MA, Acting',
              instructor_name: 'S. Bhave',
              month: 5,
              year: 2021,
              location: 'Pune',
            },
            {
              description: 'Deccan College of Arts',
              course_name: 'BA, Sanskrit',
              month: 5,
              year: 2018,
              location: 'Pune',
            },
          ],
          attribute: [
            { Height: '168', Weight: '58', Build: 'Athletic', Hair: 'Black', Eyes: 'Brown', Skin: 'Wheatish' },
          ],
          language: [{ languages: ['Marathi', 'Hindi', 'English'] }],
          document: [{ driving_licence: true, passport: true, resume: true }],
          highlight: [
            { title: 'First lead on television', description: 'Paper Boats, 12 episodes', year: 2026 },
            { title: 'Rangvedh repertory', description: 'Two seasons in Pune and on tour', year: 2024 },
            { title: 'Graduated', description: 'MA in acting, Rangvedh School of Drama', year: 2021 },
          ],
          contact: [
            {
              contact_type: 'representative',
              name: 'Nandi Artists, Anil Mehta',
              mobile: '+91 22 5550 1234',
              email: 'anil@nandi.example',
              address: '4 Veera Desai Road, Mumbai',
            },
            {
              contact_type: 'basic',
              name: 'Meera Kulkarni',
              mobile: '+91 98 5550 1234',
              email: 'meera@callboard.example',
              address: 'Andheri West, Mumbai',
            },
          ],
        },
        hasExamples: true,
      },
      {
        type: 'voice-artist',
        stage_name: 'Meera K',
        portrait: 'meera',
        title: 'Narration and dubbing',
        location: 'Mumbai',
        industry: 'Dubbing and voice-over',
        per_day: 12_000,
        min_age_range: 18,
        max_age_range: 40,
        description: 'Warm low register, Marathi, Hindi and English. Own booth with a treated room.',
        sections: {
          experience: [credit('Video', 'Rivers of the Deccan', 'Narrator', 'Banyan Films', [3, 2025], [3, 2025])],
          skill: skills(['Lip sync dubbing', 3], ['Cold reading', 3]),
          language: [{ languages: ['Marathi', 'Hindi', 'English'] }],
        },
        hasExamples: true,
      },
    ],
  },
  {
    name: 'Arjun Nair',
    email: 'arjun@callboard.example',
    profiles: [
      {
        type: 'actor-performer',
        stage_name: 'Arjun Nair',
        title: 'Actor and movement performer',
        face: { hair: 'short', hasBeard: true, hasGlasses: false, seed: 1 },
        location: 'Kochi',
        industry: 'Theatre',
        per_day: 15_000,
        min_age_range: 28,
        max_age_range: 42,
        description: 'Trained in kalaripayattu before drama school. At home in physical comedy and in silence.',
        sections: {
          experience: [
            credit('Cinema', 'Monsoon Ledger', 'Babu', 'Dir. Leena Thomas', [7, 2024], [9, 2024]),
            credit('Theatre', 'The Ferryman of Vypin', 'Ferryman', 'Harbour Players', [10, 2022], [1, 2023]),
          ],
          skill: skills(['Kalaripayattu', 3], ['Mime', 3], ['Swimming', 2]),
          language: [{ languages: ['Malayalam', 'Hindi', 'English'] }],
        },
        hasExamples: true,
      },
    ],
  },
  {
    name: 'Tenzin Dolma',
    email: 'tenzin@callboard.example',
    profiles: [
      {
        type: 'theatre-professional',
        stage_name: 'Tenzin Dolma',
        title: 'Stage manager',
        face: { hair: 'bob', hasBeard: false, hasGlasses: true, seed: 4 },
        location: 'Bengaluru',
        industry: 'Theatre',
        per_day: 14_000,
        description: 'Touring shows, tight get-ins, calm on the headset.',
        sections: {
          experience: [credit('Theatre', 'Salt Water', 'Stage manager', 'Rangvedh Company', [8, 2022], [10, 2022])],
          skill: skills(['Calling the show', 3], ['Rigging', 2]),
          language: [{ languages: ['Kannada', 'Hindi', 'English'] }],
        },
        hasExamples: true,
      },
    ],
  },
  {
    name: 'Zoya Sheikh',
    email: 'zoya@callboard.example',
    profiles: [
      {
        type: 'film-professional',
        stage_name: 'Zoya Sheikh',
        portrait: 'zoya',
        title: 'Casting director',
        location: 'Mumbai',
        industry: 'Feature film',
        per_day: 40_000,
        description: 'I cast independent features and long-form series, and I watch every tape to the end.',
        sections: {
          experience: [credit('Movie', 'Night Bus to Satara', 'Casting', 'Pocket Lamp Pictures', [1, 2025], [4, 2025])],
          skill: skills(['Street casting', 3], ['Audition coaching', 2]),
          language: [{ languages: ['Hindi', 'Urdu', 'English'] }],
        },
        hasExamples: true,
      },
    ],
  },
];

/** A connection or pending request, by e-mail addresses. */
export interface DemoConnection {
  from: string;
  to: string;
  isAccepted: boolean;
  message?: string;
  /** Rows that the sender wrote on the receiver's profile, by section. */
  rows?: Record<string, AnyRow>;
  /** Messages since then, in order. */
  messages?: DemoMessage[];
}
interface DemoMessage {
  by: string;
  message?: string;
  /** A drawing in `photos/`. */
  photo?: string;
}
export const DEMO_CONNECTIONS: DemoConnection[] = [
  {
    from: 'arjun@callboard.example',
    to: 'meera@callboard.example',
    isAccepted: true,
    message: 'Salt Water was the best week of my year.',
    rows: {
      feedback: {
        feedback: 'Prepared, punctual and generous with the scene. I would share a stage with her again tomorrow.',
      },
    },
    messages: [
      { by: 'meera@callboard.example', message: 'Mine, too. Is there a second run?' },
      { by: 'arjun@callboard.example', message: 'From the 12th, at Gulmohar Hall. Rain rig from 7.' },
      { by: 'arjun@callboard.example', photo: 'rain' },
      { by: 'meera@callboard.example', message: 'Lovely. Should I come with hair tied?' },
      { by: 'arjun@callboard.example', message: 'Tied, yes. And bring the brown shawl.' },
    ],
  },
  {
    from: 'tenzin@callboard.example',
    to: 'meera@callboard.example',
    isAccepted: true,
    rows: { feedback: { feedback: 'Never missed a call in forty shows.' } },
    messages: [
      { by: 'tenzin@callboard.example', message: 'Your cue lights are rewired. Warm-up at 5, hall B.' },
      { by: 'meera@callboard.example', message: 'Thank you! I will be there at half past four.' },
    ],
  },
  { from: 'arjun@callboard.example', to: 'tenzin@callboard.example', isAccepted: true },
  {
    from: 'zoya@callboard.example',
    to: 'meera@callboard.example',
    isAccepted: false,
    message: 'I am casting a Marathi series and would like to see a tape.',
  },
];

/** Saved profiles: who saved whose newest profile. */
export const DEMO_SAVED: { by: string; whose: string }[] = [
  { by: 'zoya@callboard.example', whose: 'meera@callboard.example' },
  { by: 'meera@callboard.example', whose: 'zoya@callboard.example' },
];
