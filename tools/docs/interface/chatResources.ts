import { section, type TestName } from './row';

const MODELS: TestName = ['account', 'lists all models of the gateway, simplified and raw'];
const SAME: TestName = ['chat', 'has the same fields for %j'];
const RAW: TestName = ['chat', 'is the same for a stream and a whole response, and so is the raw output'];
const FIELDS: TestName = ['chatAnswers', 'returns the same fields for all three formats'];
const PLAIN = 'Chat › Message a Model';
const MESSAGES = 'Chat › Message a Model (Messages Format)';
const CONTENT = 'Chat › Message a Model (Generate Content Format)';
const tokens = (operation: string) =>
	['inputTokens', 'outputTokens', 'totalTokens'].map((field) => `${operation} › {${field}}`);

/** Sections 2.1 to 2.5: models and chats. */
export const chatResources = [
	section('2.1', 'Model object', [
		['id', ['Account › Get Many Models › {id}', 'Chat › Message a Model › Model'], MODELS],
		['object', 'Account › Get Many Models › Simplify', MODELS],
		[
			'created',
			['Account › Get Many Models › {created}', 'Account › Get Many Models › More Filters › Created After'],
			MODELS,
		],
		[
			'owned_by',
			['Account › Get Many Models › {ownedBy}', 'Account › Get Many Models › More Filters › Owner'],
			MODELS,
		],
		[
			'List wrapper: `object` = `list`',
			'= The list is split into items',
			['lists', 'has all fields of each model, and is asked for with the options of the node'],
			'The word is the same for every list, so nothing depends on it.',
		],
		['`data` = array of model objects', 'Account › Get Many Models', MODELS],
	]),
	section('2.2', 'Chat message', [
		['role', `${PLAIN} › Messages › Role`, ['chat', 'contains messages in their order']],
		[
			'e.g. system, user, assistant',
			[`${PLAIN} › Messages › Role`, `${PLAIN} › Messages (JSON)`],
			['chat', 'contains JSON from another node, as text and as data'],
		],
		[
			'content',
			[`${PLAIN} › Prompt`, `${PLAIN} › Messages › Text`],
			['chat', 'contains messages in their order'],
		],
		[
			'`{type:image_url, image_url:{url:<url>}}`',
			[`${PLAIN} › Options › Files`, `${PLAIN} › Messages › Files`],
			['chatFiles', 'may be images from web addresses, data URIs, and binary fields, in each format'],
		],
	]),
	section('2.3', 'Chat completion', [
		['id', `${PLAIN} › {id}`, FIELDS],
		['object', `${PLAIN} › Simplify`, RAW],
		['created', `${PLAIN} › Simplify`, RAW],
		['model', `${PLAIN} › {model}`, SAME],
		[
			'choices',
			[`${PLAIN} › {text}`, `${PLAIN} › {finishReason}`],
			['chatAnswers', 'returns the finish reason %s for %j'],
		],
		[
			'Usually one element',
			`${PLAIN} › {alternatives}`,
			['chatStreams', 'keeps several choices separate, and passes on only the first one live'],
		],
		['usage', tokens(PLAIN), FIELDS],
	]),
	section('2.4', 'Message object', [
		['id', `${MESSAGES} › {id}`, FIELDS],
		['type', `${MESSAGES} › Simplify`, RAW],
		['role', `${MESSAGES} › Simplify`, RAW],
		['model', `${MESSAGES} › {model}`, SAME],
		[
			'content',
			[`${MESSAGES} › {text}`, `${MESSAGES} › {otherContent}`],
			['chatAnswers', 'joins text blocks, and keeps reasoning and blocks of other types'],
		],
		['stop_reason', `${MESSAGES} › {finishReason}`, ['chatAnswers', 'returns the finish reason %s for %j']],
		['usage', tokens(MESSAGES), FIELDS],
	]),
	section('2.5', 'Generate-content response', [
		[
			'candidates',
			[`${CONTENT} › {text}`, `${CONTENT} › {finishReason}`],
			['chatAnswers', 'returns the finish reason %s for %j'],
		],
		['usageMetadata', tokens(CONTENT), FIELDS],
	]),
];
