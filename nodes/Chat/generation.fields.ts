import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../shared/failure/words';
import type { OptionValues } from '../shared/run/parameterReader';
import type { Generation } from './formats/generation';
import { choiceField, numberField, textField } from '../shared/fields/field';

/** Temperature as an entry of Options. @param max undefined if it depends on the model */
export function temperatureOption(max: number | undefined): INodeProperties {
	return {
		displayName: 'Temperature',
		name: 'temperature',
		type: 'number',
		typeOptions: { minValue: 0, ...(max === undefined ? {} : { maxValue: max }), numberPrecision: 2 },
		default: 1,
		description:
			max === undefined
				? 'How random the answer is. The highest value depends on the model and is mostly 2.'
				: `How random the answer is, from 0 to ${max}`,
	};
}

export const MAX_TOKENS = numberField(
	'Max Tokens',
	'maxTokens',
	1024,
	'Maximum number of tokens to generate. Longer answers are cut off.',
	{ typeOptions: { minValue: 1, numberPrecision: 0 } },
);

const REASONING_EFFORT = choiceField(
	'Reasoning Effort',
	'reasoningEffort',
	'medium',
	'How much the model reasons before it answers',
	[
		{ name: 'None', value: 'none', description: 'Answer without reasoning' },
		{ name: 'Low', value: 'low' },
		{ name: 'Medium', value: 'medium' },
		{ name: 'High', value: 'high', description: 'Reason longer, which takes more time and tokens' },
	],
);

const THINKING_BUDGET = numberField(
	'Thinking Budget (Tokens)',
	'thinkingBudget',
	4096,
	'Maximum number of tokens for reasoning, instead of an effort',
	{ typeOptions: { minValue: 1, numberPrecision: 0 } },
);

const TOP_P = numberField(
	'Top P',
	'topP',
	1,
	'Share of the most probable tokens to choose from, from 0 to 1',
	{ typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 } },
);

export const SEED = numberField(
	'Seed',
	'seed',
	1,
	'With the same seed, the same request mostly gets the same answer',
	{ typeOptions: { numberPrecision: 0 } },
);

const STOP_SEQUENCES: INodeProperties = {
	...textField('Stop Sequences', 'stopSequences', 'Texts at which the answer ends; they are not part of it'),
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Stop Sequence' },
	default: [],
	placeholder: 'e.g. END',
};

export const PROMPT_CACHING = choiceField(
	'Prompt Caching',
	'promptCaching',
	'5m',
	'How long the gateway keeps the beginning of requests, so that it costs less',
	[
		{ name: '5 Minutes', value: '5m' },
		{ name: '1 Hour', value: '1h', description: 'Writing to the cache costs more' },
		{ name: 'Off', value: '' },
	],
);

/** What differs between the formats in the options. */
export interface GenerationSettings {
	maxTokens: INodeProperties;
	/** The highest Temperature that the interface allows; undefined where it gives none. */
	maxTemperature: number | undefined;
	/** Whether the format is that of messages, which needs Max Tokens, and knows no seed. */
	isMessages?: boolean;
}

/** The messages format requires Max Tokens, so that the default is sent when the option is not set. */
export const MESSAGES_GENERATION: GenerationSettings = {
	maxTokens: { ...MAX_TOKENS, default: 4096 },
	maxTemperature: 1,
	isMessages: true,
};

/** The entries of Options for how the answer is generated. */
export function generationOptions({
	maxTokens,
	maxTemperature,
	isMessages = false,
}: GenerationSettings): INodeProperties[] {
	const shared = [maxTokens, REASONING_EFFORT, STOP_SEQUENCES, temperatureOption(maxTemperature)];
	return [...shared, THINKING_BUDGET, TOP_P, ...(isMessages ? [PROMPT_CACHING] : [SEED])];
}

/** Reads the entries of Options for how the answer is generated. */
export function readGeneration(options: OptionValues, settings: GenerationSettings): Generation {
	const { maxTokens, maxTemperature, isMessages = false } = settings;
	const generation: Generation = {
		maxTokens: options.number(maxTokens),
		temperature: options.number(temperatureOption(maxTemperature)),
		topP: options.number(TOP_P),
		seed: isMessages ? undefined : options.number(SEED),
		stopSequences: options.texts(STOP_SEQUENCES),
		reasoningEffort: options.text(REASONING_EFFORT) || undefined,
		thinkingTokens: options.number(THINKING_BUDGET),
	};
	if (generation.reasoningEffort !== undefined && generation.thinkingTokens !== undefined) {
		throw inputFailure(
			THINKING_BUDGET,
			'is set together with Reasoning Effort',
			'Remove one of the two options. Which one a model understands is in its documentation.',
		);
	}
	if (!isMessages || generation.maxTokens !== undefined) return generation;
	// The format demands a number, and counts the tokens for reasoning as well.
	return { ...generation, maxTokens: (maxTokens.default as number) + (generation.thinkingTokens ?? 0) };
}
