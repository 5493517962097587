import type { AnyRow } from '#contract/section.ts';
import type { DemoConnection } from './people.ts';
import type { DemoPerson, Face } from './person.ts';

/**
 * One person a line: name, type, title, city, industry, day rate, age, hair (then b: beard, g: glasses), languages, skills
 * with their level.
 */
const TABLE = `
Devika Rao|film-professional|Director|Chennai|Feature film|45000|41|long g|Tamil, Telugu, English|Directing actors 3, Long takes 2
Rohan D’Souza|tv-professional|Director|Goa|Web series|52000|44|short b|Konkani, Hindi, English|Multi-camera 3, Directing actors 3
Farah Irani|film-professional|Casting director|Mumbai|Feature film|38000|47|bob g|Hindi, Gujarati, English|Street casting 3, Improvisation 2
Kabir Bhatt|voice-artist|Voice artist|Jaipur|Dubbing and voice-over|9000|36|short b|Hindi, Rajasthani, English|Lip sync dubbing 3, Cold reading 2
Ishaan Sethi|actor-performer|Actor and dancer|Delhi|Feature film|16000|24|curly|Hindi, Punjabi, English|Contemporary dance 3, Improvisation 2, Swimming 2
Lakshmi Pillai|theatre-professional|Theatre maker|Mysuru|Theatre|12000|39|bun|Kannada, Malayalam, English|Devising 3, Improvisation 3
Kavya Nambiar|actor-performer|Screen actor|Kochi|Feature film|20000|27|long|Malayalam, Tamil, English|Bharatanatyam 3, Swimming 2, Improvisation 2
Rohit Sawant|actor-performer|Stage and screen actor|Pune|Theatre|14000|33|short b|Marathi, Hindi, English|Stage combat 3, Motorcycle 3, Improvisation 2
Tara Gurung|actor-performer|Actor and dancer|Mumbai|Web series|18000|23|bob|Nepali, Hindi, English|Contemporary dance 3, Improvisation 2
Kabir Deshmukh|actor-performer|Actor|Mumbai|Television|22000|37|short b|Marathi, Hindi, English|Stage combat 2, Tabla 2, Horse riding 2
Ananya Chatterjee|actor-performer|Actor|Kolkata|Feature film|19000|29|long|Bengali, Hindi, English|Kathak 2, Singing 3, Improvisation 2
Joseph Kurien|audio-professional|Sound recordist|Kochi|Documentary|13000|42|bald b g|Malayalam, English|Location sound 3, Mixing 2
Nandini Iyer|voice-artist|Narrator|Bengaluru|Dubbing and voice-over|11000|34|bun g|Kannada, Tamil, English|Audiobook narration 3, Cold reading 3
Imran Qureshi|actor-performer|Actor|Hyderabad|Television|17000|31|short b|Urdu, Telugu, Hindi|Sword fighting 3, Horse riding 3, Stage combat 3
Sneha Patil|theatre-professional|Lighting designer|Pune|Theatre|15000|35|bob|Marathi, Hindi, English|Lighting design 3, Rigging 2
Vikram Shetty|film-professional|Cinematographer|Mumbai|Feature film|48000|45|short b g|Tulu, Hindi, English|Handheld camera 3, Underwater 2
Meghna Bora|actor-performer|Actor and singer|Guwahati|Web series|13000|26|long|Assamese, Hindi, English|Singing 3, Improvisation 2, Swimming 2
Arvind Swaminathan|theatre-professional|Director|Chennai|Theatre|18000|52|bald g|Tamil, English|Directing actors 3, Devising 2
Pooja Malhotra|tv-professional|Writer|Mumbai|Television|30000|38|long g|Hindi, Punjabi, English|Dialogue 3, Story editing 3
Sameer Khan|actor-performer|Actor|Delhi|Theatre|11000|28|short|Hindi, Urdu, English|Mime 3, Stage combat 2, Improvisation 3
Ritika Bose|voice-artist|Voice actor|Kolkata|Dubbing and voice-over|8500|30|bob|Bengali, Hindi, English|Lip sync dubbing 3, Character voices 3, Singing 2
Harpreet Kaur|actor-performer|Actor|Delhi|Television|15000|35|bun|Punjabi, Hindi, English|Horse riding 2, Motorcycle 2, Improvisation 2
Nikhil Joshi|video-professional|Editor|Pune|Web series|21000|32|curly g|Marathi, Hindi, English|Editing 3, Colour grading 2
Gayatri Menon|actor-performer|Dancer and actor|Kochi|Dance and movement|14000|31|bun|Malayalam, Tamil, English|Bharatanatyam 3, Kalaripayattu 2
Aditya Rane|actor-performer|Screen actor|Mumbai|Advertising|25000|29|short|Marathi, Hindi, English|Swimming 3, Motorcycle 3, Improvisation 2
Zeenat Ali|film-professional|Costume designer|Hyderabad|Feature film|26000|40|long|Urdu, Telugu, English|Period costume 3, Draping 3
Rahul Das|audio-professional|Composer|Kolkata|Music video|24000|37|curly b|Bengali, Hindi, English|Mixing 3, Singing 2
Shruti Kulkarni|actor-performer|Stage actor|Pune|Theatre|10000|25|long|Marathi, Hindi, English|Kathak 2, Singing 3, Improvisation 3
Deepak Negi|film-professional|Assistant director|Dehradun|Feature film|14000|30|short b|Garhwali, Hindi, English|Scheduling 3, Crowd work 2
Mitali Shah|actor-performer|Actor|Ahmedabad|Theatre|9000|33|bob|Gujarati, Hindi, English|Improvisation 3, Singing 2
Suresh Babu|actor-performer|Character actor|Chennai|Feature film|24000|56|bald b|Tamil, Telugu, Malayalam|Stage combat 2, Horse riding 2
Priya Raman|voice-artist|Dubbing artist|Chennai|Dubbing and voice-over|10000|38|bun|Tamil, Telugu, English|Lip sync dubbing 3, Cold reading 3, Singing 2
Aarav Mehta|actor-performer|Young actor|Mumbai|Advertising|12000|19|curly|Hindi, Gujarati, English|Swimming 2, Contemporary dance 2, Improvisation 2
Bhavna Reddy|tv-professional|Production manager|Hyderabad|Television|23000|43|bob g|Telugu, Hindi, English|Scheduling 3, Budgets 3
Manoj Tirkey|video-professional|Camera operator|Ranchi|Documentary|12000|34|short|Hindi, Santali, English|Handheld camera 3, Drone 2
Leela Hegde|theatre-professional|Costume and set|Bengaluru|Theatre|13000|46|bun g|Kannada, Konkani, English|Set design 3, Draping 2
Yusuf Pathan|actor-performer|Actor|Ahmedabad|Web series|15000|40|short b|Gujarati, Urdu, Hindi|Horse riding 3, Stage combat 3, Motorcycle 2
Charu Verma|actor-performer|Comedian|Delhi|Web series|16000|28|curly g|Hindi, English|Improvisation 3, Clowning 3
Anil Kamble|film-professional|Production designer|Mumbai|Feature film|34000|50|bald g|Marathi, Hindi, English|Set design 3, Period sets 3
Sara Lobo|actor-performer|Singer and actor|Goa|Music video|17000|27|curly|Konkani, Portuguese, English|Singing 3, Guitar 2, Improvisation 2
Vishal Thakur|actor-performer|Stunt performer|Mumbai|Feature film|20000|32|short|Hindi, English|Stage combat 3, Sword fighting 3, Horse riding 3, Motorcycle 3
Padma Subramanian|actor-performer|Dancer|Chennai|Dance and movement|15000|44|bun|Tamil, English|Bharatanatyam 3, Singing 2
Tenzing Bhutia|audio-professional|Sound designer|Gangtok|Radio and podcasts|11000|33|short g|Nepali, Hindi, English|Mixing 3, Location sound 2
Ayesha Siddiqui|voice-artist|Radio voice|Delhi|Radio and podcasts|8000|29|long|Urdu, Hindi, English|Cold reading 3, Character voices 2
Gaurav Pandey|tv-professional|Cinematographer|Delhi|Television|28000|41|short b|Hindi, English|Multi-camera 3, Handheld camera 2
Ketaki Phadke|actor-performer|Actor|Pune|Television|13000|36|bob|Marathi, Hindi, English|Kathak 3, Horse riding 2, Improvisation 2
Ravi Teja Varma|actor-performer|Action actor|Hyderabad|Feature film|30000|34|curly b|Telugu, Hindi, English|Stage combat 3, Motorcycle 3, Swimming 2
Mousumi Saha|theatre-professional|Puppeteer|Kolkata|Theatre|8500|42|bun g|Bengali, English|Puppetry 3, Devising 3
Neel Fernandes|video-professional|Director|Mumbai|Advertising|40000|36|short|Hindi, English|Directing actors 2, Colour grading 2
Sanjana Rai|actor-performer|Actor and model|Bengaluru|Advertising|21000|25|long|Tulu, Kannada, English|Swimming 3, Contemporary dance 2
Prakash Gowda|actor-performer|Stage actor|Bengaluru|Theatre|9500|45|short b|Kannada, Telugu, English|Yakshagana 3, Singing 3, Stage combat 2
Isha Kapoor|film-professional|Editor|Mumbai|Documentary|27000|33|bob|Hindi, English|Editing 3, Story editing 2
Sourav Mitra|actor-performer|Actor|Kolkata|Television|14000|31|short g|Bengali, Hindi, English|Improvisation 3, Cricket 3
Revathi Nair|voice-artist|Audiobook narrator|Kochi|Dubbing and voice-over|9500|48|long g|Malayalam, English|Audiobook narration 3, Cold reading 3
Omkar Bhosale|audio-professional|Dubbing engineer|Mumbai|Dubbing and voice-over|15000|35|short b|Marathi, Hindi, English|Mixing 3, Lip sync dubbing 2
Diya Sharma|actor-performer|Young actor|Jaipur|Advertising|10000|18|bob|Hindi, Rajasthani, English|Kathak 2, Swimming 2, Improvisation 2
`;

const PROJECTS: Record<string, readonly [type: string, title: string, company: string][]> = {
  screen: [
    ['Movie', 'The Long Monsoon', 'Dir. Devika Rao'],
    ['Movie', 'Night Bus to Satara', 'Pocket Lamp Pictures'],
    ['Cinema', 'Monsoon Ledger', 'Dir. Leena Thomas'],
    ['Movie', 'A House Without Clocks', 'Banyan Films'],
    ['Movie', 'Tamarind Season', 'Harbour Line Pictures'],
    ['Cinema', 'The Salt Road', 'Dir. Anand Joglekar'],
  ],
  small: [
    ['TV', 'Midnight Local', 'Harbour Line Pictures'],
    ['TV', 'Second Shift', 'Lantern Television'],
    ['TV', 'Paper Boats', 'Dir. Rohan D’Souza'],
    ['TV', 'The Registrar’s Office', 'Lantern Television'],
    ['TV', 'Platform Nine', 'Kite String Media'],
  ],
  stage: [
    ['Theatre', 'Chowk No. 7', 'Rangvedh Company'],
    ['Theatre', 'Salt Water', 'Rangvedh Company'],
    ['Theatre', 'The Ferryman of Vypin', 'Harbour Players'],
    ['Theatre', 'Three Umbrellas', 'Studio Akshar'],
    ['Theatre', 'The Lamp Keeper', 'Blue Door Theatre'],
  ],
  short: [
    ['Video', 'Rivers of the Deccan', 'Banyan Films'],
    ['Video', 'First Light', 'Kite String Media'],
    ['Video', 'Twelve Cups of Tea', 'Studio Akshar'],
    ['Video', 'Saturday Market', 'Pocket Lamp Pictures'],
  ],
};
const PLACES_OF_WORK: Record<string, readonly string[]> = {
  Theatre: ['stage', 'stage', 'short'],
  'Dance and movement': ['stage', 'short', 'screen'],
  Television: ['small', 'small', 'screen'],
  'Web series': ['small', 'screen', 'short'],
  'Feature film': ['screen', 'screen', 'small'],
};
const PARTS = [
  'Arjun',
  'Sulbha',
  'Inspector Joshi',
  'Kamla',
  'The Ferryman',
  'Ira',
  'Bablu',
  'The Mother',
  'Revati',
  'Doctor Sen',
];

const ABOUT: Record<string, string> = {
  'actor-performer':
    'I trained on stage and love the camera’s close-ups. Quick with text, happy in rehearsal and on a cold set at four in the morning.',
  'voice-artist':
    'A treated room, a good microphone and a steady voice. Clean takes within a day, retakes without fuss.',
  'film-professional':
    'I like small crews, long preparation and calm sets. Features, shorts and everything worth a second take.',
  'theatre-professional': 'From the first reading to the last get-out. I tour well and label every cable.',
  'tv-professional': 'Daily schedules, long arcs, no drama behind the camera.',
  'video-professional': 'Documentary and commercial work, mostly on location. I travel light and deliver on time.',
  'audio-professional': 'Clean location sound and warm mixes. I listen before I record.',
};

interface Line {
  name: string;
  type: string;
  title: string;
  city: string;
  industry: string;
  rate: number;
  age: number;
  look: string;
  languages: string[];
  skills: AnyRow[];
}

const lines: Line[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name, type, title, city, industry, rate, age, look, languages, skills] = line.split('|') as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      name,
      type,
      title,
      city,
      industry,
      rate: Number(rate),
      age: Number(age),
      look,
      languages: languages.split(', '),
      skills: skills.split(', ').map((skill) => ({ name: skill.slice(0, -2), level: Number(skill.slice(-1)) })),
    };
  });

const BUILDS = ['Slim', 'Lean', 'Athletic', 'Average', 'Muscular'];
const SKIN = ['Fair', 'Wheatish', 'Medium', 'Brown', 'Dusky'];
const NOW = 2026;

/** Generates two to five credits, newest first; the person's age limits how old the first one is. */
function creditsOf({ type, title, industry, age }: Line, seed: number): AnyRow[] {
  const years = Math.max(1, Math.round((age - 18) * 0.7));
  const shelves = PLACES_OF_WORK[industry] ?? ['short', 'screen', 'small'];
  const isOnScreen = type === 'actor-performer';
  return Array.from({ length: 2 + (seed % 4) }, (_, at) => {
    const projects = PROJECTS[shelves[at % shelves.length]!]!;
    const [experience_type, experience_title, production_details] = projects[(seed + at * 2) % projects.length]!;
    const year = NOW - Math.round((years * at) / (1 + (seed % 4)));
    const month = 1 + ((seed * 3 + at * 5) % 9);
    const details = isOnScreen ? PARTS[(seed + at * 3) % PARTS.length]! : type === 'voice-artist' ? 'Voice' : title;
    return {
      experience_type,
      experience_title,
      details,
      production_details,
      start_month: month,
      start_year: year,
      end_month: month + 2,
      end_year: year,
    };
  });
}

const faceOf = ({ look }: Line, seed: number): Face => {
  const [hair, ...marks] = look.split(' ');
  return { hair: hair as Face['hair'], hasBeard: marks.includes('b'), hasGlasses: marks.includes('g'), seed };
};

const emailOf = (name: string) =>
  `${name
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '.')}@callboard.example`;

function personOf(line: Line, at: number): DemoPerson {
  const seed = at + 3;
  const { name, type, title, city, industry, rate, age, languages, skills } = line;
  const isPerformer = type === 'actor-performer' || type === 'voice-artist';
  const face = faceOf(line, seed);
  return {
    name,
    email: emailOf(name),
    profiles: [
      {
        type,
        stage_name: name,
        title,
        location: city,
        industry,
        per_day: rate,
        ...(isPerformer && { min_age_range: age - 4 - (seed % 3), max_age_range: age + 4 + (seed % 4) }),
        description: ABOUT[type] ?? '',
        face,
        sections: {
          experience: creditsOf(line, seed),
          skill: skills,
          language: [{ languages }],
          ...(type === 'actor-performer' && {
            attribute: [
              {
                Height: String(152 + ((seed * 7) % 34)),
                Weight: String(48 + ((seed * 5) % 34)),
                Build: BUILDS[seed % BUILDS.length],
                Hair: seed % 7 === 0 ? 'Grey' : 'Black',
                Eyes: seed % 3 === 0 ? 'Dark brown' : 'Brown',
                Skin: SKIN[seed % SKIN.length],
              },
            ],
          }),
          ...(seed % 4 === 0 && {
            award: [
              {
                award_name: 'Best performance',
                description: 'Deccan Short Play Festival',
                month: 11,
                year: NOW - 1 - (seed % 6),
                location: city,
              },
            ],
          }),
          ...(seed % 3 === 0 && {
            education: [
              {
                description: 'Rangvedh School of Drama',
                course_name: 'Diploma in acting',
                month: 5,
                year: NOW - age + 22,
                location: 'Pune',
              },
            ],
          }),
        },
        media: [
          { kind: 'image', name: 'Headshot', fields: { category_type: 'Headshot' }, face },
          ...(type === 'actor-performer' && seed % 4 === 1
            ? [
                {
                  kind: 'video' as const,
                  name: 'Showreel',
                  fields: { category_type: 'Showreel', role: 'Various' },
                  drawing: ['chowk', 'kathak', 'night', 'rain'][seed % 4]!,
                },
              ]
            : []),
          ...(type === 'voice-artist'
            ? [
                {
                  kind: 'audio' as const,
                  name: 'Voice reel',
                  fields: {
                    category_type: 'Narration',
                    voice_age: `${age - 5} to ${age + 5}`,
                    voice_style: 'Warm, clear',
                  },
                  language: languages[0]!,
                  hum: { seconds: 6 + (seed % 5), pitch: face.hasBeard ? 110 : 190, seed },
                },
              ]
            : []),
        ],
      },
    ],
  };
}

/** People of every profile type, as data for search, suggestions, connections and Industry Insights. */
export const CROWD: DemoPerson[] = lines.map(personOf);

const first = (at: number) => emailOf(lines[at]!.name);

/**
 * Connections among them. Each is connected to the third, fifth and eighth person before, so that most have mutual connections;
 * some are connected to Meera or have sent her a request.
 */
export const CROWD_CONNECTIONS: DemoConnection[] = lines.flatMap((_, at) => [
  ...[3, 5, 8]
    .filter((step) => at - step >= 0)
    .map((step) => ({ from: first(at), to: first(at - step), isAccepted: (at + step) % 4 !== 0 })),
  ...(at < 6 ? [{ from: first(at), to: 'meera@callboard.example', isAccepted: true }] : []),
  ...(at === 20
    ? [
        {
          from: first(at),
          to: 'meera@callboard.example',
          isAccepted: false,
          message: 'We dubbed next door to each other in spring. I would love to stay in touch.',
        },
      ]
    : []),
]);

/** Each person has saved an earlier one. */
export const CROWD_SAVED: { by: string; whose: string }[] = lines.flatMap((_, at) =>
  at < 2 ? [] : [{ by: first(at), whose: first(at - 2) }],
);
