import type { AppConfig, PriceCard } from './app-config.js';

const card = (model: string, inputPerMTokUsd: number, outputPerMTokUsd: number): PriceCard => ({
  model,
  inputPerMTokUsd,
  outputPerMTokUsd,
});

/** List prices of a few models, for the money saved; the operator's own cards come first. */
export const defaultPrices: readonly PriceCard[] = [
  card('*demo*', 0.15, 0.6),
  card('gpt-4o-mini*', 0.15, 0.6),
  card('gpt-4o*', 2.5, 10),
  card('gpt-4.1-nano*', 0.1, 0.4),
  card('gpt-4.1-mini*', 0.4, 1.6),
  card('gpt-4.1*', 2, 8),
  card('gpt-5-nano*', 0.05, 0.4),
  card('gpt-5-mini*', 0.25, 2),
  card('gpt-5*', 1.25, 10),
  card('o4-mini*', 1.1, 4.4),
  card('text-embedding-3-small', 0.02, 0),
  card('text-embedding-3-large', 0.13, 0),
];

const patterns = new Map<string, RegExp>();

/** Whether a text equals a pattern in which * stands for any characters. */
export function matchesGlob(pattern: string, text: string): boolean {
  let regex = patterns.get(pattern);
  if (!regex) {
    const parts = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    regex = new RegExp(`^${parts.join('[^]*?')}$`, 'i');
    if (patterns.size >= 2_000) patterns.clear();
    patterns.set(pattern, regex);
  }
  return regex.test(text);
}

/** The price card of a model; undefined when none fits, and then nothing is claimed to be saved. */
export function priceOf(config: Pick<AppConfig, 'prices'>, model: string): PriceCard | undefined {
  const fits = (price: PriceCard): boolean => matchesGlob(price.model, model);
  return config.prices.find(fits) ?? defaultPrices.find(fits);
}

/** Cost in millionths of a US dollar: a price per million tokens in dollars is one per token in micro-dollars. */
export function costMicroUsd(price: PriceCard | undefined, promptTokens: number, completionTokens: number): number {
  if (!price) return 0;
  return Math.round(price.inputPerMTokUsd * promptTokens + price.outputPerMTokUsd * completionTokens);
}
