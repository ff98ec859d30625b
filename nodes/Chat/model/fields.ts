import type { INodeProperties } from 'n8n-workflow';
import { optionFields } from '../../shared/fields/options';
import type { RequestOptions } from '../../shared/send/layer';
import type { OptionValues } from '../../shared/run/parameterReader';
import type { SubNodeCall } from '../../shared/run/subNode';
import { entryOf } from '../../shared/plain/values';
import { MODEL, STREAM } from '../fields';
import type { ChatFormat } from '../formats/chatFormat';
import { FORMATS } from '../formats/formats';
import { type Generation, generationOptions, readGeneration, temperatureUpTo } from '../formats/generation';
import { choiceField } from '../../shared/fields/field';

const OFFERED = FORMATS.filter(({ chatModel }) => chatModel !== undefined);
const CHOICES = OFFERED.map(({ chatModel }) => chatModel!.choice);

const FORMAT = choiceField('Format', 'format', {
	default: CHOICES[0].value as string,
	description: 'The format of the requests to the model. Agents and chains work the same with both.',
	options: CHOICES,
});

/** Differences from the options of Unified AI Chat, because one option serves all formats. */
const DIFFERENCES: Record<string, Partial<INodeProperties>> = {
	maxTokens: { default: 4096 },
	temperature: {
		...temperatureUpTo(2),
		description:
			'How random the answer is, from 0 to 2 (messages format: 0 to 1). Lower values make it more predictable.',
	},
};

function optionsOf({ generation, options }: ChatFormat): INodeProperties[] {
	return [...generationOptions(generation), ...options];
}

/** Returns the options of all formats, each once. One that only some formats have is shown only for these. */
function sharedOptions(): INodeProperties[] {
	const byName = new Map(OFFERED.flatMap(optionsOf).map((option) => [option.name, option]));
	return [...byName.values()].map((option) => {
		const users = OFFERED.filter((format) => optionsOf(format).some(({ name }) => name === option.name));
		const values = users.map(({ chatModel }) => chatModel!.choice.value);
		const isShared = users.length === OFFERED.length;
		const shown = isShared ? {} : { displayOptions: { show: { [`/${FORMAT.name}`]: values } } };
		return { ...option, ...shown, ...entryOf(DIFFERENCES, option.name) };
	});
}

export const chatModelFields: INodeProperties[] = [
	MODEL,
	FORMAT,
	...optionFields(
		OFFERED[0].request.target('', false).endpoint,
		{ streams: true, parallel: false, pays: 'tokens', isSubNode: true },
		[STREAM, ...sharedOptions()],
	),
];

export interface ChatModelSettings {
	model: string;
	format: ChatFormat;
	generation: Generation;
	options: OptionValues;
	/** True to request every answer as a stream, even if the whole answer is wanted. */
	stream: boolean;
	/** Merged into each request; they override the other fields. */
	extraBodyFields: Record<string, unknown>;
	requestOptions: RequestOptions;
}

/** Reads the parameters. @throws GatewayFailure for a value that cannot be used */
export function readSettings(call: SubNodeCall): ChatModelSettings {
	const { options, extraBodyFields, requestOptions } = call;
	const chosen = call.text(FORMAT);
	const format = OFFERED.find(({ chatModel }) => chatModel?.choice.value === chosen) ?? OFFERED[0];
	// Reading them now finds a wrong value before the agent begins.
	for (const option of format.options)
		void (option.type === 'boolean' ? options.flag(option) : options.text(option));
	return {
		model: call.picked(MODEL),
		format,
		generation: readGeneration(options, format.generation),
		options,
		stream: options.flag(STREAM),
		extraBodyFields,
		requestOptions,
	};
}
