// Texts, numbers and dates as people of a language write them.

declare namespace Intl {
  type UnicodeBCP47LocaleIdentifier = string;
  type LocalesArgument = UnicodeBCP47LocaleIdentifier | Locale | readonly (UnicodeBCP47LocaleIdentifier | Locale)[] | undefined;
  type LocaleHourCycleKey = "h12" | "h23" | "h11" | "h24";
  type LocaleCollationCaseFirst = "upper" | "lower" | "false";

  interface LocaleOptions {
    baseName?: string;
    calendar?: string;
    caseFirst?: LocaleCollationCaseFirst;
    collation?: string;
    hourCycle?: LocaleHourCycleKey;
    language?: string;
    numberingSystem?: string;
    numeric?: boolean;
    region?: string;
    script?: string;
  }
  interface Locale extends LocaleOptions {
    baseName: string;
    language: string;
    maximize(): Locale;
    minimize(): Locale;
    toString(): UnicodeBCP47LocaleIdentifier;
  }
  const Locale: { new (tag: UnicodeBCP47LocaleIdentifier | Locale, options?: LocaleOptions): Locale };

  interface CollatorOptions {
    usage?: "sort" | "search";
    localeMatcher?: "lookup" | "best fit";
    numeric?: boolean;
    caseFirst?: "upper" | "lower" | "false";
    sensitivity?: "base" | "accent" | "case" | "variant";
    collation?:
      | "big5han" | "compat" | "default" | "dict" | "direct" | "ducet" | "emoji" | "eor" | "gb2312" | "phonebk" | "phonetic"
      | "pinyin" | "reformed" | "searchjl" | "stroke" | "trad" | "unihan" | "zhuyin";
    ignorePunctuation?: boolean;
  }
  interface ResolvedCollatorOptions {
    locale: string;
    usage: string;
    sensitivity: string;
    ignorePunctuation: boolean;
    collation: string;
    caseFirst: string;
    numeric: boolean;
  }
  /** Compares texts in the order of a language. */
  interface Collator {
    compare(x: string, y: string): number;
    resolvedOptions(): ResolvedCollatorOptions;
  }
  interface CollatorConstructor {
    new (locales?: string | string[], options?: CollatorOptions): Collator;
    new (locales?: LocalesArgument, options?: CollatorOptions): Collator;
    (locales?: string | string[], options?: CollatorOptions): Collator;
    (locales?: LocalesArgument, options?: CollatorOptions): Collator;
    supportedLocalesOf(locales: string | string[], options?: CollatorOptions): string[];
    supportedLocalesOf(locales: LocalesArgument, options?: CollatorOptions): string[];
  }
  var Collator: CollatorConstructor;

  interface NumberFormatOptionsStyleRegistry { decimal: never; percent: never; currency: never; unit: never }
  type NumberFormatOptionsStyle = keyof NumberFormatOptionsStyleRegistry;
  interface NumberFormatOptionsCurrencyDisplayRegistry { code: never; symbol: never; name: never; narrowSymbol: never }
  type NumberFormatOptionsCurrencyDisplay = keyof NumberFormatOptionsCurrencyDisplayRegistry;
  interface NumberFormatOptionsUseGroupingRegistry {}
  type NumberFormatOptionsUseGrouping = {} extends NumberFormatOptionsUseGroupingRegistry
    ? boolean : keyof NumberFormatOptionsUseGroupingRegistry | "true" | "false" | boolean;
  type ResolvedNumberFormatOptionsUseGrouping = {} extends NumberFormatOptionsUseGroupingRegistry
    ? boolean : keyof NumberFormatOptionsUseGroupingRegistry | false;
  interface NumberFormatOptionsSignDisplayRegistry { auto: never; never: never; always: never; exceptZero: never }
  type NumberFormatOptionsSignDisplay = keyof NumberFormatOptionsSignDisplayRegistry;
  interface NumberFormatOptions {
    localeMatcher?: "lookup" | "best fit";
    style?: NumberFormatOptionsStyle;
    currency?: string;
    currencyDisplay?: NumberFormatOptionsCurrencyDisplay;
    currencySign?: "standard" | "accounting";
    useGrouping?: NumberFormatOptionsUseGrouping;
    minimumIntegerDigits?: number;
    minimumFractionDigits?: number;
    maximumFractionDigits?: number;
    minimumSignificantDigits?: number;
    maximumSignificantDigits?: number;
    numberingSystem?: string;
    compactDisplay?: "short" | "long";
    notation?: "standard" | "scientific" | "engineering" | "compact";
    signDisplay?: NumberFormatOptionsSignDisplay;
    unit?: string;
    unitDisplay?: "short" | "long" | "narrow";
  }
  interface ResolvedNumberFormatOptions {
    locale: string;
    numberingSystem: string;
    style: NumberFormatOptionsStyle;
    currency?: string;
    currencyDisplay?: NumberFormatOptionsCurrencyDisplay;
    currencySign?: "standard" | "accounting";
    minimumIntegerDigits: number;
    minimumFractionDigits?: number;
    maximumFractionDigits?: number;
    minimumSignificantDigits?: number;
    maximumSignificantDigits?: number;
    useGrouping: ResolvedNumberFormatOptionsUseGrouping;
    compactDisplay?: "short" | "long";
    notation: "standard" | "scientific" | "engineering" | "compact";
    signDisplay: NumberFormatOptionsSignDisplay;
    unit?: string;
    unitDisplay?: "short" | "long" | "narrow";
  }
  interface NumberFormatPartTypeRegistry {
    literal: never; nan: never; infinity: never; percent: never; integer: never; group: never; decimal: never;
    fraction: never; plusSign: never; minusSign: never; percentSign: never; currency: never;
    compact: never; exponentInteger: never; exponentMinusSign: never; exponentSeparator: never; unit: never;
    unknown: never;
  }
  type NumberFormatPartTypes = keyof NumberFormatPartTypeRegistry;
  interface NumberFormatPart { type: NumberFormatPartTypes; value: string }
  /** Writes numbers. */
  interface NumberFormat {
    format(value: number): string;
    format(value: number | bigint): string;
    formatToParts(number?: number | bigint): NumberFormatPart[];
    resolvedOptions(): ResolvedNumberFormatOptions;
  }
  interface NumberFormatConstructor {
    new (locales?: string | string[], options?: NumberFormatOptions): NumberFormat;
    new (locales?: LocalesArgument, options?: NumberFormatOptions): NumberFormat;
    (locales?: string | string[], options?: NumberFormatOptions): NumberFormat;
    (locales?: LocalesArgument, options?: NumberFormatOptions): NumberFormat;
    supportedLocalesOf(locales: string | string[], options?: NumberFormatOptions): string[];
    supportedLocalesOf(locales: LocalesArgument, options?: NumberFormatOptions): string[];
    readonly prototype: NumberFormat;
  }
  var NumberFormat: NumberFormatConstructor;

  interface DateTimeFormatOptions {
    localeMatcher?: "best fit" | "lookup";
    weekday?: "long" | "short" | "narrow";
    era?: "long" | "short" | "narrow";
    year?: "numeric" | "2-digit";
    month?: "numeric" | "2-digit" | "long" | "short" | "narrow";
    day?: "numeric" | "2-digit";
    hour?: "numeric" | "2-digit";
    minute?: "numeric" | "2-digit";
    second?: "numeric" | "2-digit";
    timeZoneName?: "short" | "long" | "shortOffset" | "longOffset" | "shortGeneric" | "longGeneric";
    formatMatcher?: "best fit" | "basic";
    hour12?: boolean;
    timeZone?: string;
    calendar?: string;
    dayPeriod?: "narrow" | "short" | "long";
    numberingSystem?: string;
    dateStyle?: "full" | "long" | "medium" | "short";
    timeStyle?: "full" | "long" | "medium" | "short";
    hourCycle?: "h11" | "h12" | "h23" | "h24";
    fractionalSecondDigits?: 1 | 2 | 3;
  }
  interface ResolvedDateTimeFormatOptions {
    locale: string;
    calendar: string;
    numberingSystem: string;
    timeZone: string;
    hour12?: boolean;
    weekday?: string;
    era?: string;
    year?: string;
    month?: string;
    day?: string;
    hour?: string;
    minute?: string;
    second?: string;
    timeZoneName?: string;
    formatMatcher?: "best fit" | "basic";
    dateStyle?: "full" | "long" | "medium" | "short";
    timeStyle?: "full" | "long" | "medium" | "short";
    hourCycle?: "h11" | "h12" | "h23" | "h24";
    dayPeriod?: "narrow" | "short" | "long";
    fractionalSecondDigits?: 1 | 2 | 3;
  }
  interface DateTimeFormatPartTypesRegistry {
    day: any; dayPeriod: any; era: any; hour: any; literal: any; minute: any; month: any; second: any;
    timeZoneName: any; weekday: any; year: any; fractionalSecond: any; unknown: never;
  }
  type DateTimeFormatPartTypes = keyof DateTimeFormatPartTypesRegistry;
  interface DateTimeFormatPart { type: DateTimeFormatPartTypes; value: string }
  interface DateTimeRangeFormatPart extends DateTimeFormatPart { source: "startRange" | "endRange" | "shared" }
  /** Writes dates and times. */
  interface DateTimeFormat {
    format(date?: Date | number): string;
    formatToParts(date?: Date | number): DateTimeFormatPart[];
    formatRange(startDate: Date | number | bigint, endDate: Date | number | bigint): string;
    formatRangeToParts(
      startDate: Date | number | bigint, endDate: Date | number | bigint,
    ): DateTimeRangeFormatPart[];
    resolvedOptions(): ResolvedDateTimeFormatOptions;
  }
  interface DateTimeFormatConstructor {
    new (locales?: string | string[], options?: DateTimeFormatOptions): DateTimeFormat;
    new (locales?: LocalesArgument, options?: DateTimeFormatOptions): DateTimeFormat;
    (locales?: string | string[], options?: DateTimeFormatOptions): DateTimeFormat;
    (locales?: LocalesArgument, options?: DateTimeFormatOptions): DateTimeFormat;
    supportedLocalesOf(locales: string | string[], options?: DateTimeFormatOptions): string[];
    supportedLocalesOf(locales: LocalesArgument, options?: DateTimeFormatOptions): string[];
    readonly prototype: DateTimeFormat;
  }
  var DateTimeFormat: DateTimeFormatConstructor;

  type LDMLPluralRule = "zero" | "one" | "two" | "few" | "many" | "other";
  type PluralRuleType = "cardinal" | "ordinal";
  interface PluralRulesOptions {
    localeMatcher?: "lookup" | "best fit";
    type?: PluralRuleType;
    minimumIntegerDigits?: number;
    minimumFractionDigits?: number;
    maximumFractionDigits?: number;
    minimumSignificantDigits?: number;
    maximumSignificantDigits?: number;
  }
  interface ResolvedPluralRulesOptions {
    locale: string;
    pluralCategories: LDMLPluralRule[];
    type: PluralRuleType;
    minimumIntegerDigits: number;
    minimumFractionDigits: number;
    maximumFractionDigits: number;
    minimumSignificantDigits?: number;
    maximumSignificantDigits?: number;
  }
  /** Chooses the plural form for a number. */
  interface PluralRules {
    resolvedOptions(): ResolvedPluralRulesOptions;
    select(n: number): LDMLPluralRule;
  }
  interface PluralRulesConstructor {
    new (locales?: string | readonly string[], options?: PluralRulesOptions): PluralRules;
    new (locales?: LocalesArgument, options?: PluralRulesOptions): PluralRules;
    (locales?: string | readonly string[], options?: PluralRulesOptions): PluralRules;
    (locales?: LocalesArgument, options?: PluralRulesOptions): PluralRules;
    supportedLocalesOf(
      locales: string | readonly string[], options?: { localeMatcher?: "lookup" | "best fit" },
    ): string[];
    supportedLocalesOf(locales: LocalesArgument, options?: { localeMatcher?: "lookup" | "best fit" }): string[];
  }
  const PluralRules: PluralRulesConstructor;

  type RelativeTimeFormatUnit =
    | "year" | "years" | "quarter" | "quarters" | "month" | "months" | "week" | "weeks" | "day" | "days"
    | "hour" | "hours" | "minute" | "minutes" | "second" | "seconds";
  type RelativeTimeFormatUnitSingular =
    "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | "second";
  type RelativeTimeFormatLocaleMatcher = "lookup" | "best fit";
  type RelativeTimeFormatNumeric = "always" | "auto";
  type RelativeTimeFormatStyle = "long" | "short" | "narrow";
  interface RelativeTimeFormatOptions {
    localeMatcher?: RelativeTimeFormatLocaleMatcher;
    numeric?: RelativeTimeFormatNumeric;
    style?: RelativeTimeFormatStyle;
  }
  interface ResolvedRelativeTimeFormatOptions {
    locale: UnicodeBCP47LocaleIdentifier;
    style: RelativeTimeFormatStyle;
    numeric: RelativeTimeFormatNumeric;
    numberingSystem: string;
  }
  type RelativeTimeFormatPart =
    | { type: "literal"; value: string }
    | { type: Exclude<NumberFormatPartTypes, "literal">; value: string; unit: RelativeTimeFormatUnitSingular };
  /** Writes "in 3 days" and the like. */
  interface RelativeTimeFormat {
    format(value: number, unit: RelativeTimeFormatUnit): string;
    formatToParts(value: number, unit: RelativeTimeFormatUnit): RelativeTimeFormatPart[];
    resolvedOptions(): ResolvedRelativeTimeFormatOptions;
  }
  const RelativeTimeFormat: {
    new (locales?: LocalesArgument, options?: RelativeTimeFormatOptions): RelativeTimeFormat;
    supportedLocalesOf(locales?: LocalesArgument, options?: RelativeTimeFormatOptions): UnicodeBCP47LocaleIdentifier[];
  };

  type DisplayNamesFallback = "code" | "none";
  type DisplayNamesType = "language" | "region" | "script" | "calendar" | "dateTimeField" | "currency";
  type DisplayNamesLanguageDisplay = "dialect" | "standard";
  interface DisplayNamesOptions {
    localeMatcher?: RelativeTimeFormatLocaleMatcher;
    style?: RelativeTimeFormatStyle;
    type: DisplayNamesType;
    languageDisplay?: DisplayNamesLanguageDisplay;
    fallback?: DisplayNamesFallback;
  }
  interface ResolvedDisplayNamesOptions {
    locale: UnicodeBCP47LocaleIdentifier;
    style: RelativeTimeFormatStyle;
    type: DisplayNamesType;
    fallback: DisplayNamesFallback;
    languageDisplay?: DisplayNamesLanguageDisplay;
  }
  /** Names of languages, regions, scripts and currencies. */
  interface DisplayNames {
    of(code: string): string | undefined;
    resolvedOptions(): ResolvedDisplayNamesOptions;
  }
  const DisplayNames: {
    prototype: DisplayNames;
    new (locales: LocalesArgument, options: DisplayNamesOptions): DisplayNames;
    supportedLocalesOf(
      locales?: LocalesArgument, options?: { localeMatcher?: RelativeTimeFormatLocaleMatcher },
    ): UnicodeBCP47LocaleIdentifier[];
  };

  type ListFormatLocaleMatcher = "lookup" | "best fit";
  type ListFormatType = "conjunction" | "disjunction" | "unit";
  type ListFormatStyle = "long" | "short" | "narrow";
  interface ListFormatOptions {
    localeMatcher?: ListFormatLocaleMatcher;
    type?: ListFormatType;
    style?: ListFormatStyle;
  }
  interface ResolvedListFormatOptions {
    locale: UnicodeBCP47LocaleIdentifier;
    style: ListFormatStyle;
    type: ListFormatType;
  }
  /** Writes "a, b and c". */
  interface ListFormat {
    format(list: Iterable<string>): string;
    formatToParts(list: Iterable<string>): { type: "element" | "literal"; value: string }[];
    resolvedOptions(): ResolvedListFormatOptions;
  }
  const ListFormat: {
    prototype: ListFormat;
    new (locales?: LocalesArgument, options?: ListFormatOptions): ListFormat;
    supportedLocalesOf(
      locales: LocalesArgument, options?: Pick<ListFormatOptions, "localeMatcher">,
    ): UnicodeBCP47LocaleIdentifier[];
  };

  interface SegmenterOptions {
    localeMatcher?: "best fit" | "lookup";
    granularity?: "grapheme" | "word" | "sentence";
  }
  interface ResolvedSegmenterOptions {
    locale: string;
    granularity: "grapheme" | "word" | "sentence";
  }
  /** Cuts text into characters, words or sentences. */
  interface Segmenter {
    segment(input: string): Segments;
    resolvedOptions(): ResolvedSegmenterOptions;
  }
  interface SegmentIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
    [Symbol.iterator](): SegmentIterator<T>;
  }
  interface Segments {
    containing(codeUnitIndex?: number): SegmentData | undefined;
    [Symbol.iterator](): SegmentIterator<SegmentData>;
  }
  interface SegmentData {
    segment: string;
    index: number;
    input: string;
    isWordLike?: boolean;
  }
  const Segmenter: {
    prototype: Segmenter;
    new (locales?: LocalesArgument, options?: SegmenterOptions): Segmenter;
    supportedLocalesOf(
      locales: LocalesArgument, options?: Pick<SegmenterOptions, "localeMatcher">,
    ): UnicodeBCP47LocaleIdentifier[];
  };

  function getCanonicalLocales(locale?: string | readonly string[]): string[];
  function supportedValuesOf(
    key: "calendar" | "collation" | "currency" | "numberingSystem" | "timeZone" | "unit",
  ): string[];
}
