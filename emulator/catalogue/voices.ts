/** A voice character (section 2.8). */
export interface VoiceCharacter {
	/** The value of `voice` in speech requests. */
	name: string;
	public: string;
	/** May be empty. */
	description: string;
}

const descriptions: ReadonlyArray<readonly [name: string, description: string]> = [
	['Sunny', 'Cute, energetic girl'],
	['Vera', 'Mature, composed woman'],
	['Anders', 'Calm male newsreader'],
	['Beatrix', 'Warm audiobook narrator'],
	['Caspian', 'Young adventurer from a fantasy game'],
	['Delphine', 'Soft-spoken, with a slight French accent'],
	['Edmund', 'Elderly storyteller'],
	['Fennec', 'Playful animation sidekick'],
	['Greta', 'Clear and matter-of-fact'],
	['Hollis', 'Late-night radio host'],
	['Iris', 'Gentle meditation guide'],
	['Jasper', 'Fast-talking sports commentator'],
	['Kestrel', 'Spaceship navigator from a science-fiction game'],
	['Lorelei', 'Singing-style voice of a river spirit'],
	['Magnus', 'Deep, booming knight commander'],
	['Nadia', 'Friendly customer service'],
	['Orson', 'Cinema trailer'],
	['Pippa', 'Curious child'],
	['Quill', 'Dry, witty librarian'],
	['Rowan', ''],
	['Saoirse', 'Irish lilt'],
	['Theo', 'Relaxed podcast host'],
	['Ursa', 'Grumpy bear from an animated series'],
	['Violet', ''],
	['Wendell', 'Patient teacher'],
	['Xanthe', 'Bright and theatrical'],
	['Yara', 'Confident presenter'],
	['Zephyr', 'Whispering wind spirit from a role-playing game'],
	['元气少女', '可爱活泼的少女音'],
	['知性御姐', '成熟稳重的女声'],
	['温柔学姐', '亲切柔和，适合陪伴'],
	['阳光少年', '清爽明亮的少年音'],
	['沉稳大叔', '低沉有磁性的男声'],
	['新闻主播', '字正腔圆的播报'],
	['故事奶奶', '慈祥的讲故事声音'],
	['剑客青锋', '武侠游戏角色'],
	['机关师墨言', '国风动画角色'],
	['狐仙小九', '奇幻动画角色'],
	['星舰舰长', ''],
	['京剧老生', '戏曲念白'],
];

const builtInVoices: readonly VoiceCharacter[] = descriptions.map(([name, description]) => ({
	name,
	public: 'public',
	description,
}));

/** The voices of one emulator: the built-in voices and the created ones. */
export class VoiceList {
	private created: VoiceCharacter[] = [];

	/** Returns all voices; created voices come last. */
	get all(): readonly VoiceCharacter[] {
		return [...builtInVoices, ...this.created];
	}

	has(name: string): boolean {
		return this.all.some((voice) => voice.name === name);
	}

	add(voice: VoiceCharacter): void {
		this.created.push(voice);
	}

	/** Forgets the created voices. */
	clear(): void {
		this.created = [];
	}
}
