// What one request costs the gateway in budget mode (bar: scoring 16 candidates in 1 ms of CPU), and one refit a worker.
import { createRng } from '@reprise/kernel';
import {
  AXES,
  ConversationFollower,
  decodeDossier,
  encodeDossier,
  FEATURES,
  fitKlr,
  NEIGHBOURS,
  pairFeatures,
  SCORED,
  textMarks,
  withLocalClasses,
} from '@reprise/policy';

const SIZE = 384;
const words = 'the table is booked at Zoe in Oslo for 7 on Monday would you like anything else'.split(' ');

function textOf(rng) {
  const vector = Float32Array.from({ length: SIZE }, () => rng.next() - 0.5);
  const length = Math.hypot(...vector);
  const text = Array.from({ length: 14 }, () => words[Math.floor(rng.next() * words.length)]).join(' ');
  return {
    vector: vector.map((value) => value / length),
    marks: textMarks(text),
  };
}

function entryOf(rng) {
  const zero = { vector: new Float32Array(SIZE), marks: textMarks('') };
  const follower = new ConversationFollower(zero);
  for (let turn = 0; turn < 5; turn += 1) {
    follower.ask(textOf(rng));
    follower.answer(textOf(rng));
  }
  return { state: follower.ask(textOf(rng)), reply: textOf(rng) };
}

function randomLabels(rng, count) {
  const rows = Float64Array.from({ length: count * FEATURES }, () => rng.next() * 2 - 1);
  const rejected = Float64Array.from({ length: count }, (_, r) => (rows[r * FEATURES] + rng.next() > 0.5 ? 1 : 0));
  return { rows, count, rejected };
}

/** CPU milliseconds of one call. */
function cpuOf(calls, work) {
  const start = process.cpuUsage();
  for (let i = 0; i < calls; i += 1) work();
  return process.cpuUsage(start).user / 1000 / calls;
}

export async function run({ smoke }) {
  const rng = createRng(2);
  const request = entryOf(rng).state;
  const stored = Array.from({ length: NEIGHBOURS }, () => encodeDossier(entryOf(rng)));
  const axes = {
    mean: new Float64Array(SIZE),
    directions: Float64Array.from({ length: AXES * SIZE }, () => (rng.next() - 0.5) / 10),
    count: AXES,
  };
  const read = () =>
    withLocalClasses(
      stored.map((bytes, i) => decodeDossier(bytes, SIZE, i < SCORED)),
      SCORED,
    );
  const entries = read();
  const labels = randomLabels(rng, smoke ? 600 : 7000);
  let model;
  const refit = cpuOf(1, () => (model = fitKlr(labels)));
  const rows = pairFeatures(request, entries, axes);
  const calls = smoke ? 20 : 1000;
  cpuOf(calls, () => model.score(pairFeatures(request, entries, axes), 16));
  const reading = cpuOf(calls, read);
  const features = cpuOf(calls, () => pairFeatures(request, entries, axes));
  const score = cpuOf(calls, () => model.score(rows, 16));
  console.log(
    `risk: 60 features of 16 candidates (48 neighbours) ${features.toFixed(3)} ms, reading the 48 ${reading.toFixed(3)} ms, scores ${score.toFixed(3)} ms of CPU; ` +
      `one fit on ${labels.count} labels ${refit.toFixed(0)} ms of CPU`,
  );
}
