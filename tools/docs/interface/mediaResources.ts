import { section, type TestName } from './row';

const VOICES: TestName = ['voices', 'has one item for each voice, with all its fields or simplified'];
const TRACK: TestName = ['musicTask', 'reads camel case names'];
const TIMES: TestName = [
	'musicTask',
	'reads times in seconds, in milliseconds, and as a date, and 0 as no time',
];
const TASK: TestName = [
	'music',
	'Get returns the progress of a pending task and the songs of a finished one',
];
const CREATED: TestName = [
	'voiceModel',
	'creates a voice from two binary fields that is then in the list of own voices and usable for speech',
];

/** Sections 2.6 to 3: images, rankings, voices, music, and failures. */
export const mediaResources = [
	section('2.6', 'Image generation response', [
		[
			'created',
			'Image › Generate › {created}',
			['image', 'outputs an item and a file named after the prompt'],
		],
		[
			'data',
			['Image › Generate › {image}', 'Image › Generate › {images}'],
			['image', 'outputs each image that it contains, and a failure for each that is damaged'],
		],
		[
			'the element field `url` is used to read the image',
			['Image › Generate › {url}', 'Image › Generate › Download Images'],
			['image', 'becomes an address without Download Images'],
		],
		[
			'Other fields of the image object: not shown.',
			['Image › Generate › {revisedPrompt}', 'Image › Generate › Simplify'],
			['image', 'becomes a file from a field with another name, which the item does not contain'],
		],
	]),
	section('2.7', 'Rerank result', [
		[
			'`index` (integer, position of the document',
			['Rerank › Rerank List › {index}', 'Rerank › Rerank Input Items › {index}'],
			['rerank', 'returns an item for each document, linked to the input item'],
		],
		[
			'`relevance_score` (number)',
			['Rerank › Rerank List › {relevanceScore}', 'Rerank › Rerank Input Items › {relevanceScore}'],
			['rerank', 'returns complete items with their fields, files, and the link to their source'],
		],
		[
			'Results are returned in ranked order, most relevant first.',
			'= The order of the items',
			['rerank', 'sorts a response that is not sorted by score'],
		],
	]),
	section('2.8', 'Voice character', [
		['name', ['Speech › Get Many Voices › {name}', 'Speech › Create › Voice'], VOICES],
		[
			'public',
			['Speech › Get Many Voices › {public}', 'Speech › Get Many Voices › Visibility'],
			['lists', 'is public if the gateway says so, as a label or as a boolean'],
		],
		[
			'description',
			'Speech › Get Many Voices › {description}',
			['lists', 'has all fields of each voice; a description may be missing'],
		],
		[
			'The built-in set has 38 or more characters.',
			'Speech › Get Many Voices › Return All',
			['requests', 'contain the same 38 or more voices under both paths'],
		],
		[
			'Custom voices created by the caller appear in the same list.',
			['Voice Model › Get Many', 'Voice Model › Get Many › Visibility'],
			CREATED,
		],
	]),
	section('2.9', 'Music task', [
		[
			'Status values: `PENDING`, `PROCESSING`, `SUCCESS`, `FAILED`.',
			'Music › Get › {status}',
			['musicTask', 'reads the status %s as %s'],
		],
		['task_id', ['Music › Get › {taskId}', 'Music › Get › Task ID'], TASK],
		['status', 'Music › Get › {status}', TASK],
		['progress', 'Music › Get › {progress}', TASK],
		[
			'fail_reason',
			'= The message of the failed item',
			['music', 'returns a failed task as a failure of its item, with reason and ID'],
		],
		['submit time', 'Music › Get › {submittedAt}', TIMES],
		['finish time', 'Music › Get › {finishedAt}', TIMES],
		[
			'data',
			['Music › Get › Output', 'Music › Get › {tracks}'],
			['music', 'numbers the file fields of an item per task and returns the raw task without Simplify'],
		],
		['`title` (string)', 'Music › Get › {title}', TRACK],
		[
			'`audioUrl` (string, URL of the MP3)',
			['Music › Get › {audioUrl}', 'Music › Get › Download Tracks'],
			['music', 'returns tracks as items with their audio and cover, in the order of the input'],
		],
		['`duration` (number, seconds)', 'Music › Get › {durationSeconds}', TRACK],
		['a unique track id', 'Music › Get › {trackId}', TRACK],
		['style/genre tags', 'Music › Get › {tags}', TRACK],
		['a streaming audio URL', 'Music › Get › {streamAudioUrl}', TRACK],
		['a cover image URL', ['Music › Get › {imageUrl}', 'Music › Get › Files'], TRACK],
		['the model used (e.g. `music-v5`)', 'Music › Get › {model}', TRACK],
		['a creation time in Unix milliseconds', 'Music › Get › {createdAt}', TRACK],
		[
			'The exact field names of these attributes: not shown.',
			'Music › Get › Simplify',
			['musicTask', 'reads snake case names, a date, and a list of tags'],
		],
		[
			'The query response has an outer field holding the text `success`',
			'= Any name of the field is read',
			['musicTask', 'accepts any name of the success marker and does not use its value as the status'],
		],
	]),
	section('2.10', 'Voice model creation result', [
		['`model_name` (string, equals submitted `name`)', 'Voice Model › Create › {name}', CREATED],
		['`public` (boolean)', 'Voice Model › Create › {public}', CREATED],
		['`description` (string)', 'Voice Model › Create › {description}', CREATED],
	]),
	section('2.11', 'Error object', [
		[
			'message:<string>',
			'= The message of the failed item',
			['errorBody', 'has message, type, and code in its error object'],
		],
		[
			'type:<string>',
			'= `details` of the failed item',
			['errorBody', 'has message, type, and code in its error object'],
		],
		[
			'code:<string>',
			'= `details` of the failed item',
			['errorBody', 'has message, type, and code in its error object'],
		],
	]),
	section('3', 'States and transitions', [
		[
			'Only the music task has named states',
			'Music › Get › {status}',
			['musicTask', 'reads the status %s as %s'],
		],
		[
			'(none)',
			['Music › Generate › {taskId}', 'Music › Generate › Wait for Completion'],
			['music', 'returns the IDs immediately when it does not wait'],
		],
		[
			'Transitions between `PENDING`, `PROCESSING`, `SUCCESS`, `FAILED`: not shown.',
			'Music › Wait',
			['musicRoutes', 'progress from PENDING through PROCESSING to SUCCESS, with progress and times'],
		],
		[
			'while not finished, `progress` is reported and the finish time is `0`',
			'Music › Get › {progress}',
			TIMES,
		],
		[
			'on `SUCCESS`, two tracks are in `data`',
			'Music › Get › Output',
			['music', 'returns tracks as items with their audio and cover, in the order of the input'],
		],
		[
			'on `FAILED`, `fail_reason` explains why',
			'= The message of the failed item',
			['music', 'returns a failed task as a failure of its item, with reason and ID'],
		],
	]),
];
