import type { INodeProperties } from 'n8n-workflow';
import { optionsField, OUTPUT_FILE } from '../../shared/fields/options';

export const DEFAULT_MAX_PAGES = 100;

const requestFields: INodeProperties[] = [
	{
		displayName:
			'Asks for anything that the gateway offers, with your credential. The key goes to the addresses in the credential only.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((method) => ({ name: method, value: method })),
		default: 'GET',
		description: 'What kind of request to send. Only a GET is repeated when its answer is lost.',
	},
	{
		displayName: 'Address',
		name: 'address',
		type: 'options',
		options: [
			{ name: 'Base URL', value: 'main', description: 'And the alternate address for paths below /v1' },
			{ name: 'Utilities Base URL', value: 'utilities', description: 'For paths below /v2/apis' },
		],
		default: 'main',
		description: 'Which address of the credential the path belongs to',
	},
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. /v1/models',
		description: 'Path below the address, or a whole URL that begins with an address of the credential',
	},
	{
		displayName: 'Query Parameters',
		name: 'queryParameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description: 'What stands behind the question mark; values are encoded for you',
		options: [
			{
				displayName: 'Parameter',
				name: 'parameter',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. limit',
						description: 'Name of the parameter; it may occur several times',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. 100',
						description: 'Value of the parameter',
					},
				],
			},
		],
	},
];

const withBody = { method: ['DELETE', 'PATCH', 'POST', 'PUT'] };

const bodyFields: INodeProperties[] = [
	{
		displayName: 'Body',
		name: 'body',
		type: 'options',
		options: [
			{ name: 'File', value: 'file', description: 'A file of the input item, as it is' },
			{ name: 'JSON', value: 'json', description: 'A JSON value' },
			{ name: 'None', value: 'none', description: 'Nothing' },
		],
		default: 'json',
		displayOptions: { show: withBody },
		description: 'What the request carries',
	},
	{
		displayName: 'JSON Body',
		name: 'jsonBody',
		type: 'json',
		default: '{}',
		displayOptions: { show: { ...withBody, body: ['json'] } },
		description: 'The JSON value to send',
	},
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		required: true,
		default: 'data',
		displayOptions: { show: { ...withBody, body: ['file'] } },
		hint: 'The name of the input field containing the binary file data to be processed',
		description: 'Name of the field that holds the file to send',
	},
];

const answerFields: INodeProperties[] = [
	{
		displayName: 'Answer Format',
		name: 'answerFormat',
		type: 'options',
		options: [
			{ name: 'Automatic', value: 'automatic', description: 'What the answer says it is' },
			{ name: 'File', value: 'file', description: 'A file, whatever it holds' },
			{ name: 'JSON', value: 'json', description: 'JSON; anything else fails the item' },
			{ name: 'Text', value: 'text', description: 'Text in the field "text"' },
		],
		default: 'automatic',
		description: 'How the answer is read',
	},
	{
		...OUTPUT_FILE,
		displayOptions: { show: { answerFormat: ['automatic', 'file'] } },
	},
	{
		displayName: 'Items Field',
		name: 'itemsField',
		type: 'string',
		default: '',
		displayOptions: { show: { answerFormat: ['automatic', 'json'] } },
		placeholder: 'e.g. data',
		description:
			'Field of a JSON answer whose list becomes one item per entry; dots lead deeper. Leave empty for the answer as it is; an answer that is a list itself is always split.',
	},
];

const paged = { method: ['GET'], answerFormat: ['automatic', 'json'] };

const pagingFields: INodeProperties[] = [
	{
		displayName: 'Paging',
		name: 'paging',
		type: 'options',
		options: [
			{
				name: 'By Cursor',
				value: 'cursor',
				description: 'The answer holds a text that asks for the next page; it ends without one',
			},
			{
				name: 'By Link',
				value: 'link',
				description: 'The answer holds the link of the next page; it ends without one',
			},
			{
				name: 'By Number',
				value: 'number',
				description: 'Pages are counted; it ends at the first page without entries',
			},
			{ name: 'None', value: 'none', description: 'One request' },
		],
		default: 'none',
		displayOptions: { show: paged },
		description: 'How further pages of a long list are fetched',
	},
	{
		displayName: 'Page Parameter',
		name: 'pageParameter',
		type: 'string',
		default: 'page',
		displayOptions: { show: { ...paged, paging: ['cursor', 'number'] } },
		placeholder: 'e.g. page',
		description: 'Query parameter that takes the page number or the cursor',
	},
	{
		displayName: 'First Page',
		name: 'firstPage',
		type: 'number',
		default: 1,
		displayOptions: { show: { ...paged, paging: ['number'] } },
		description: 'Number of the first page',
	},
	{
		displayName: 'Next Page Field',
		name: 'nextPageField',
		type: 'string',
		default: '',
		displayOptions: { show: { ...paged, paging: ['cursor', 'link'] } },
		placeholder: 'e.g. meta.next',
		description: 'Field of the answer that holds the cursor or the link; dots lead deeper',
	},
	{
		displayName: 'Max Pages',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_MAX_PAGES,
		displayOptions: { show: { ...paged, paging: ['cursor', 'link', 'number'] } },
		description: 'Most pages to fetch',
	},
];

/** Parameters of Account → Custom Request. */
export const customRequestFields: INodeProperties[] = [
	...requestFields,
	...bodyFields,
	...answerFields,
	...pagingFields,
	optionsField({ timeoutSeconds: 60, body: false }, [
		{
			displayName: 'Content Type',
			name: 'contentType',
			type: 'string',
			default: '',
			placeholder: 'e.g. image/png',
			description: 'Media type of the file that is sent. Leave empty for what the item says it is.',
		},
	]),
];
