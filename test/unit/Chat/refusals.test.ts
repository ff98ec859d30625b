import { isFieldRefusal, mayFallBack } from '../../../nodes/Chat/fallback/refusals';
import type { GatewayFailure } from '../../../nodes/shared/failure/failure';

const failed = (kind: string, gatewayMessage = '', more: object = {}) =>
	({ kind, facts: { gatewayMessage, ...more } }) as GatewayFailure;

const UNKNOWN = [
	...['model_not_available', 'unknown_model', 'no_such_model', 'unsupported_model', 'no_available_channel'],
].map((code) => failed('request', 'No.', { code }));
const DENIED = [
	...['is not a valid model ID', "is a model that doesn't exist", 'is an invalid model', 'is no such model'],
	...['是未知模型，无效', '模型不可用', '模型未找到'],
].map((words) => failed('request', `aurora-4 ${words}`));
const MISSING = ['', 'Nothing at aurora-4', '渠道已关闭', 'No channel'].map((one) => failed('notFound', one));

it.each([
	...[...UNKNOWN, ...DENIED, ...MISSING],
	...[failed('unreachable'), failed('request', 'The model is not available')],
])('Another model is asked after %j', (failure) => expect(mayFallBack(failure, 'aurora-4')).toBe(true));

const WORDS = ['', 'json_schema is off', 'The tool choice failed', 'Structured output is off', 'Not allowed'];

it.each([...WORDS.map((words) => failed('request', words)), failed('gateway', '', { status: 501 })])(
	'A field may be the reason for %j',
	(failure) => expect(isFieldRefusal(failure)).toBe(true),
);

it.each([
	...[failed('gateway', '', { status: 500 }), failed('request', '', { status: 413 })],
	failed('request', 'No JSON', { code: 'json_validate_failed' }),
])('A field is not the reason for %j', (failure) => expect(isFieldRefusal(failure)).toBe(false));
