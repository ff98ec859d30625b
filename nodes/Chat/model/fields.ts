import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/gateway/endpoints';

/** Parameters of the Chat Model. */
export const chatModelFields: INodeProperties[] = [
	modelField('', 'e.g. chat-large'),
	{
		displayName: 'Format',
		name: 'format',
		type: 'options',
		options: [
			{
				name: 'Chat Completion',
				value: 'chat',
				description: 'The endpoint that serves every model of the gateway',
			},
			{
				name: 'Messages',
				value: 'messages',
				description: 'The endpoint with content blocks, for models that have it',
			},
		],
		default: 'chat',
		description: 'The format in which the model is asked; agents and chains get the same from both',
	},
	optionsField({ timeoutSeconds: endpoints.chatCompletions.timeoutSeconds, body: true, concurrency: false }, [
		{
			displayName: 'Include Usage',
			name: 'includeUsage',
			type: 'boolean',
			default: true,
			displayOptions: { show: { '/format': ['chat'] } },
			description:
				'Whether to ask for the token usage at the end of a stream. Switch off for gateways that refuse the field.',
		},
		{
			displayName: 'Max Tokens',
			name: 'maxTokens',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 4096,
			description:
				'Most tokens that the model may write. Longer answers are cut off. The messages format demands a number and gets 4096 when this is not set.',
		},
		{
			displayName: 'Stream',
			name: 'stream',
			type: 'boolean',
			default: false,
			description:
				'Whether to receive every answer piece by piece, so that long ones do not run into time limits. Behind a trigger whose response mode is streaming that happens by itself.',
		},
		{
			displayName: 'Temperature',
			name: 'temperature',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
			default: 1,
			description: 'How freely the model chooses its words, from 0 to 2 (messages format: to 1)',
		},
	]),
];
