import type { INodeProperties } from 'n8n-workflow';
import { choiceField, numberField, textField } from '../../shared/fields/field';
import { inputFailure } from '../../shared/failure/words';
import type { OptionValues } from '../../shared/run/parameterReader';
import type { Fields } from '../../shared/plain/values';

/** Describes how the model generates its answer, independent of the format. Undefined fields are not sent. */
export interface Generation {
	maxTokens?: number;
	temperature?: number;
	topP?: number;
	seed?: number;
	stopSequences?: string[];
	/** The amount of reasoning before the answer, in the gateway's words; `none` turns it off. */
	reasoningEffort?: string;
	/** The most tokens that the model may use for reasoning; an alternative to the effort. */
	thinkingTokens?: number;
}

/** The names of options in a request, as in the interface (4.1 to 4.3) and, beyond it, in comparable services. */
type Naming = 'chatCompletions' | 'messages' | 'generateContent';

interface GenerationOption<Value> {
	parameter: INodeProperties;
	/** The field of a request, or a function that returns the fields for a value; null if there is none. */
	names: Record<Naming, string | ((value: Value) => Fields) | null>;
}

/** Turns reasoning off in every format. */
const NO_REASONING = 'none';

/** The options, one row each. */
const OPTIONS: { [Name in keyof Generation]-?: GenerationOption<NonNullable<Generation[Name]>> } = {
	maxTokens: {
		parameter: numberField(
			'Max Tokens',
			'maxTokens',
			1024,
			'Maximum number of tokens to generate. Longer answers are cut off.',
			{ typeOptions: { minValue: 1, numberPrecision: 0 } },
		),
		names: { chatCompletions: 'max_tokens', messages: 'max_tokens', generateContent: 'maxOutputTokens' },
	},
	temperature: {
		parameter: numberField(
			'Temperature',
			'temperature',
			1,
			'How random the answer is. The highest value depends on the model and is mostly 2.',
			{ typeOptions: { minValue: 0, numberPrecision: 2 } },
		),
		names: { chatCompletions: 'temperature', messages: 'temperature', generateContent: 'temperature' },
	},
	topP: {
		parameter: numberField(
			'Top P',
			'topP',
			1,
			'Share of the most probable tokens to choose from, from 0 to 1',
			{ typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 } },
		),
		names: { chatCompletions: 'top_p', messages: 'top_p', generateContent: 'topP' },
	},
	seed: {
		parameter: numberField(
			'Seed',
			'seed',
			1,
			'With the same seed, the same request mostly gets the same answer',
			{ typeOptions: { numberPrecision: 0 } },
		),
		names: { chatCompletions: 'seed', messages: null, generateContent: 'seed' },
	},
	stopSequences: {
		parameter: {
			...textField(
				'Stop Sequences',
				'stopSequences',
				'Texts at which the answer ends; they are not part of it',
			),
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Stop Sequence' },
			default: [],
			placeholder: 'e.g. END',
		},
		names: { chatCompletions: 'stop', messages: 'stop_sequences', generateContent: 'stopSequences' },
	},
	reasoningEffort: {
		parameter: choiceField('Reasoning Effort', 'reasoningEffort', {
			default: 'medium',
			description: 'How much the model reasons before it answers',
			options: [
				{ name: 'None', value: 'none', description: 'Answer without reasoning' },
				{ name: 'Low', value: 'low' },
				{ name: 'Medium', value: 'medium' },
				{ name: 'High', value: 'high', description: 'Reason longer, which takes more time and tokens' },
			],
		}),
		names: {
			chatCompletions: 'reasoning_effort',
			messages: (effort) =>
				effort === NO_REASONING
					? { thinking: { type: 'disabled' } }
					: { thinking: { type: 'adaptive' }, output_config: { effort } },
			generateContent: (effort) => ({
				thinkingConfig: effort === NO_REASONING ? { thinkingBudget: 0 } : { thinkingLevel: effort },
			}),
		},
	},
	thinkingTokens: {
		parameter: numberField(
			'Thinking Budget (Tokens)',
			'thinkingBudget',
			4096,
			'Maximum number of tokens for reasoning, instead of an effort',
			{ typeOptions: { minValue: 1, numberPrecision: 0 } },
		),
		names: {
			chatCompletions: (tokens) => ({ reasoning: { max_tokens: tokens } }),
			messages: (tokens) => ({ thinking: { type: 'enabled', budget_tokens: tokens } }),
			generateContent: (tokens) => ({ thinkingConfig: { thinkingBudget: tokens } }),
		},
	},
};

/** Describes how a format takes the options. */
export interface GenerationSettings {
	naming: Naming;
	/** Parameters that differ from the usual ones. */
	differences: { [Name in keyof Generation]?: Partial<INodeProperties> };
	/** True if a request must have Max Tokens, so that the default is sent when the option is not set. */
	needsMaxTokens: boolean;
}

/** Returns the settings of Temperature for a highest value that the interface gives. */
export function temperatureUpTo(maxValue: number): Partial<INodeProperties> {
	return {
		typeOptions: { ...OPTIONS.temperature.parameter.typeOptions, maxValue },
		description: `How random the answer is, from 0 to ${maxValue}`,
	};
}

const ALL = Object.entries(OPTIONS) as Array<[keyof Generation, GenerationOption<unknown>]>;

function optionsOf({ naming, differences }: GenerationSettings) {
	const known = ALL.filter(([, { names }]) => names[naming] !== null);
	return known.map(([name, { parameter }]) => ({ name, parameter: { ...parameter, ...differences[name] } }));
}

/** Returns the entries of Options that control how the answer is generated. */
export function generationOptions(settings: GenerationSettings): INodeProperties[] {
	return optionsOf(settings).map(({ parameter }) => parameter);
}

/** Reads the entries of Options that control how the answer is generated. @throws GatewayFailure if two conflict */
export function readGeneration(options: OptionValues, settings: GenerationSettings): Generation {
	const set = optionsOf(settings).filter(({ parameter }) => options.value(parameter) !== undefined);
	const generation: Generation = Object.fromEntries(
		set.map(({ name, parameter }) => [name, valueOf(options, parameter)]),
	);
	const { maxTokens, reasoningEffort, thinkingTokens } = generation;
	if (reasoningEffort !== undefined && thinkingTokens !== undefined) {
		throw inputFailure(
			OPTIONS.thinkingTokens.parameter,
			'is set together with Reasoning Effort',
			'Remove one of the two options. Which one a model understands is in its documentation.',
		);
	}
	if (!settings.needsMaxTokens || maxTokens !== undefined) return generation;
	// The format counts the tokens for reasoning as well.
	const preset = (settings.differences.maxTokens ?? OPTIONS.maxTokens.parameter).default as number;
	return { ...generation, maxTokens: preset + (thinkingTokens ?? 0) };
}

function valueOf(options: OptionValues, parameter: INodeProperties): unknown {
	if (parameter.type === 'number') return options.number(parameter);
	return parameter.typeOptions?.multipleValues
		? options.texts(parameter)
		: options.text(parameter) || undefined;
}

/** Returns the fields of a request that control how the answer is generated. */
export function generationFields(generation: Generation, naming: Naming): Fields {
	const all = Object.entries(generation) as Array<[keyof Generation, unknown]>;
	const fields = all.map(([name, value]): Fields => {
		const field = (OPTIONS[name] as GenerationOption<unknown>).names[naming];
		if (field === null || value === undefined) return {};
		return typeof field === 'string' ? { [field]: value } : field(value);
	});
	return Object.assign({}, ...fields) as Fields;
}

/** Tells whether the model is to think. */
export function isThinking({ reasoningEffort = NO_REASONING, thinkingTokens }: Generation): boolean {
	return thinkingTokens !== undefined || reasoningEffort !== NO_REASONING;
}
