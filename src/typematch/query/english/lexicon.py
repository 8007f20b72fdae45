"""The lexicon: English terms that describe types and functions, with their senses.

A sense is a tag (a terminal of ``grammars/phrases.lark``) and a meaning: the TypeScript type of a
noun, the name of a container, the kind of a function, a number.  Nouns are listed in the singular;
``tokens`` reduces plurals.  Terms of several words take precedence over their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Sense(NamedTuple):
    tag: str
    meaning: str


# Nouns that are the name of a type.
_TYPES = {
    "string": "string, piece of text",
    "number": "number, integer, int, float, double, numeric value",
    "boolean": "boolean, bool, true or false, boolean flag, truth value",
    "true": "literal true",
    "false": "literal false",
    "bigint": "bigint, big integer, big int",
    "symbol": "symbol",
    "Date": "date, date object, date instance",
    "RegExp": "regular expression, regexp, regex, regexp pattern, regex pattern",
    "Buffer": "buffer, node buffer",
    "ArrayBuffer": "array buffer, arraybuffer",
    "DataView": "data view, dataview",
    "Uint8Array": "uint8array, uint8 array, byte array, bytes, array of bytes",
    "URL": "url object, url instance",
    "URLSearchParams": "url search params",
    "Error": "error, error object, exception",
    "object": "object, plain object",
    "unknown": "unknown, unknown value, value of unknown type, unknown thing, unknown input",
    "any": "any value, value of any type, anything",
    "void": "nothing, void, no value, no result",
    "undefined": "undefined",
    "null": "null",
    "never": "never",
    "AbortSignal": "abort signal",
    "Blob": "blob",
    "Response": "http response, fetch response",
    "Request": "http request, fetch request",
    "Headers": "http headers",
    "EventEmitter": "event emitter",
    "Intl.Locale": "locale object",
}
# Nouns that are a usual name of a parameter: the type that such parameters nearly always have.
_ROLES = {
    "string": """text, path, file path, filepath, path name, filename, file name, directory,
        folder, directory path, folder path, name, property name, field name, message, url, uri,
        link, word, sentence, line, character, char, letter, substring, prefix, suffix,
        separator, delimiter, template, label, title, host, hostname, host name, domain, email,
        email address, address, password, passphrase, salt, hash, token, uuid, guid, json, json
        string, json text, xml, html, csv, markdown, base64, hex, slug, id, identifier, match,
        language, locale, currency, iso string, file contents, file content, text content, format
        string, date string, query string, source code, string literal, algorithm, format,
        username, user name, locale string, glob, pattern string""",
    "number": """index, count, size, length, width, height, depth, amount, sum, total, average,
        mean, median, minimum, maximum, delay, timeout, duration, interval, limit, offset,
        position, step, concurrency, chunk size, batch size, page size, age, year, month,
        timestamp, unix timestamp, epoch, percentage, ratio, precision, radix, port, exponent,
        factor, remainder, quotient, digit, score, weight, distance, difference, product, min,
        max, start index, end index, lower bound, upper bound, bound, code point, status code,
        square root, absolute value, concurrency limit, level, prime, fraction""",
    "boolean": "flag, condition, bit",
    "BufferEncoding": "encoding, buffer encoding, character encoding, text encoding",
    "Readable": "stream, readable stream, readable, input stream",
    "Writable": "writable stream, writable, output stream, write stream",
    "Readable | Writable": "node stream",
    "Uint8Array": "byte sequence",
    "object": "options, option object, options object, config, configuration, settings",
}
# Units of measurement, numbers: "a number of days", "ten seconds".
_UNITS = """millisecond, second, minute, hour, day, week, month count, byte, ms, kilobyte, megabyte,
    percent, degree, time, decimal, decimal place, decimal digit, pixel, millis, milli"""
# Containers with one type argument.
_LISTS = {
    "Array": "array, list, sequence, collection, vector, batch, readonly array, read only array",
    "Set": "set, readonly set",
    "WeakSet": "weak set, weakset",
    "Promise": "promise, future",
    "PromiseLike": "promise like, thenable, promiselike",
    "Iterable": "iterable, iterable object",
    "Iterator": "iterator",
    "AsyncIterable": "async iterable, asynchronous iterable, asynciterable",
    "AsyncIterator": "async iterator, asynchronous iterator, asynciterator",
    "Generator": "generator",
    "AsyncGenerator": "async generator, asynchronous generator",
    "Matrix": "matrix, two dimensional array, 2d array, nested array, nested list",
    "Partial": "partial",
    "ReadableStream": "web stream, readablestream",
}
# Containers of libraries: nouns only where the catalog declares the type.
_LIBRARY = {
    "Observable": "observable",
    "Subject": "subject",
    "BehaviorSubject": "behavior subject, behaviour subject",
    "Option": "option",
    "Maybe": "maybe",
    "Task": "task",
    "Effect": "effect",
    "Signal": "signal",
    "Ref": "ref",
    "Either": "either",
    "Result": "result type",
}
# Containers with two type arguments.
_KEYED = {
    "Map": "map, hash map, hashmap, es6 map, readonly map",
    "WeakMap": "weak map, weakmap",
    "Record": """dictionary, dict, record, lookup table, lookup, lookup object, hash table,
        string map, object map, object mapping, index signature, object with values""",
}
CONTAINERS = frozenset((*_LISTS, *_LIBRARY, *_KEYED))
_PAIRS = {
    "pair": "pair, tuple, couple",
    "entry": """entry, key value pair, key and value pair, map entry, object entry, key value
        tuple, name value pair""",
    "triple": "triple, triplet",
}
# Kinds of functions, with the shape that `type_holes` gives them.
_FUNCTION_TYPES = {
    "function": "function, func, fn, lambda, closure",
    "callback": "callback, callback function, handler, listener, event handler, event listener",
    "predicate": """predicate, predicate function, test function, filter function, condition
        function, boolean function""",
    "comparator": """comparator, compare function, comparison function, comparer, comparator
        function, sort function, ordering function""",
    "mapper": """mapper, mapping function, mapper function, transform function, transformer,
        iteratee, transformation, map function, projection, projection function, selector,
        selector function""",
    "key function": "key function, key selector, grouping function, key getter, key extractor",
    "reducer": "reducer, reducer function, reducing function, accumulator function, fold function",
    "node": """node style callback, node callback, nodejs callback, node js callback, node style
        handler, error first callback, errback, error first handler, callback in node style""",
    "thunk": """thunk, factory, factory function, supplier, producer, lazy value, lazy default,
        no argument function, zero argument function, nullary function, parameterless function,
        fallback function""",
    "binary": "binary function, two argument function, function of two arguments",
    "asserter": "assertion function",
}
# Values whose type depends on the rest of the sentence, with the kind of hole they leave.
_VALUES = {
    "it": "it, itself, copy, clone, shallow copy, deep copy",
    "result": "result, return value, output value",
    "key noun": "key",
    "part": "part, piece, chunk, slice, segment, portion",
    "value": """value, item, element, thing, member, argument, parameter, arg, param, input,
        entry value, array element, list item, fallback, default, default value, fallback value""",
    "accumulator": """initial value, accumulator, initial state, seed, starting value, start
        value, initial accumulator""",
}
_VERBS = {
    "TAKE": """take, takes, taking, accept, accepts, accepting, receive, receives, receiving,
        expects, expecting, requires, requiring, consumes, consuming, is given, is passed, gets
        passed, is called with, called with, with arguments, whose arguments are, whose argument
        is, whose parameters are, whose parameter is, with parameters, takes in, taking in,
        having parameters, that has parameters""",
    "GIVE": """return, returns, returning, give, gives, giving, give back, gives back, giving
        back, yield, yields, yielding, produce, produces, producing, output, outputs, outputting,
        emits, give me, gives me, gives you, returning back, returns back, returned as, resolves
        with, resolving with, whose result is, whose output is, evaluates to, evaluating to, to
        get, to get back, to produce, to obtain, to return, to give, that results in, resulting
        in, results in, out comes, comes out as""",
    "MAKE": """get, gets, getting, find, finds, finding, compute, computes, computing, calculate,
        calculates, calculating, create, creates, creating, make, makes, making, build, builds,
        building, generate, generates, generating, derive, derives, construct, constructs,
        extract, extracts, extracting, obtain, obtains, list, fetch, fetches, retrieve,
        retrieves, look up, looks up""",
    "CONVERT": """convert, converts, converting, transform, transforms, transforming, turn,
        turns, turning, cast, casts, casting, coerce, coerces, parse, parses, parsing, decode,
        decodes, encode, encodes, serialize, serializes, format, formats, formatting, stringify,
        stringifies, map, maps, mapping, collect, collects, change, changes, changing, wrap,
        wraps, unwrap, unwraps, lift, lifts, flatten, flattens, join, joins, split, splits,
        splitting, group, groups, goes""",
    "CHECK": """check, checks, checking, test, tests, testing, tell, tells, telling, determine,
        determines, determining, verify, verifies, see, decide, decides, ask, asks, tell me, say,
        says, know, detect, detects, validates, validate""",
    "DATIVE": """add, adds, adding, append, appends, appending, apply, applies, applying, push,
        pushes, prepend, prepends, attach, attaches, bind, binds, write, writes, writing, send,
        sends, set, sets, compare, compares, comparing, assign, assigns, pad, pads, round, rounds,
        clamp, clamps, subscribe, subscribes, listen, listens, restrict, restricts, truncate,
        truncates, passes, passed, pass, points, pointing, connect, connects, insert, inserts, put,
        puts, upload, uploads, save, saves, move, moves, publish, publishes""",
    "VERB": """do, does, run, runs, call, calls, use, uses, have, has, be, sort, sorts, filter,
        filters, wait, waits, read, reads, show, shows, remove, removes, delete,
        deletes, merge, merges, combine, combines, zip, zips, repeat, repeats, delay by, retry,
        retries, take a look, handle, invoke, invokes, throttle, debounce, memoize, negate,
        negates, replace, replaces, match, matches, iterate, traverse, resolve, wait for,
        execute, perform""",
}
# Function words.
_FUNCTION_WORDS = {
    "TO": "to, into, in to, to become",
    "AS": "as, as if, in the form of",
    "FROM": "from, out of, starting from, based on",
    "WITH": """with, closest to, nearest to, relative to, next to, similar to, equal to, close
        to, according to, down to, compared to, belonging to, by, using, via, per, over, at,
        between, in, on, for, against, within, through, around, about, inside, after, before,
        under, plus, across, without, of type, by means of, along with a, under a, until, during""",
    "OF": """of, containing, that contains, filled with, full of, resolving to, that resolves to,
        which resolves to, that resolves with, that contain, holding, wrapping, that holds, whose
        elements are, whose items are, whose values are, that resolve to, resolving with,
        consisting of, made of, that yields, for, on, over, with, of type, of many, made up of,
        that fulfills with, that will be""",
    "AND": """and, as well as, plus, along with, together with, followed by, and then, and also,
        then""",
    "OR": "or, or else, or maybe, or possibly, or perhaps",
    "THAT": "that, which, who, that is, which is, that are",
    "WHETHER": """whether, whether or not, if, true if, true when, true iff, true or false if,
        true for""",
    "IS": "is, are, be, being, is a, is of type",
    "SAME": "same, the same, that same, those, these, such, such a",
    "OPTIONAL": "optional, optionally, possibly, an optional",
    "FLAT": "flat, flattened, concatenated",
    "MANY": "any number of, a variable number of, one or more, zero or more",
    "NULLABLE": "nullable, possibly null, maybe null",
    "SWAPPED": """with arguments swapped, with the arguments swapped, with swapped arguments,
        with its arguments swapped, with flipped arguments, with the arguments flipped, with its
        arguments flipped, with arguments reversed, with the arguments reversed, with reversed
        arguments, with its arguments reversed, with its arguments in reverse order, with
        arguments flipped, with parameters swapped, with the parameters swapped, with the
        argument order reversed, with its two arguments swapped, with the two arguments swapped,
        with arguments in reverse order, with the arguments in reverse order, with its first two
        arguments swapped, with the argument order swapped, with the order of arguments reversed,
        with the order of its arguments reversed, with the order of the arguments reversed, with
        the order of arguments swapped, with the argument order flipped, with its arguments the
        other way round""",
    "GUARD": "type guard, type predicate, user defined type guard, typeguard, narrowing function",
    "ASYNC": "async, asynchronous, asynchronously, awaitable",
    "ARGS": "argument, parameter, arg, param, input argument",
    "FILLER": "me, you, us, back, exactly, just, only, simply, always, in turn, directly, also",
}
# Determiners: of something new, of something known, of something mentioned before.
_ARTICLES = {
    "a": """a, an, some, another, other, any, single, multiple, many, several, a few, a single,
        just a, a certain, a given, first, different""",
    "the": "the, its, their, his, my, your, both, both the, all, all the, all of the, one of the",
    "that": "this, each, every, of each",
}
_FLAGS = {
    "callback": """callback style function, callback based function, node style function, node
        style api, callback api, callback style api, callback version""",
    "sync": "sync, synchronous, synchronously, blocking",
    # Compatible with a promise, a callback or an event: no constraint.
    "nonblocking": "without blocking, non blocking, nonblocking",
    "generic": "generic",
    "static": "static",
    "readonly": "readonly, read only, immutable",
    "exported": "exported",
    "deprecated": "deprecated",
    "overloaded": "overloaded",
    "variadic": "variadic, any number of arguments, a variable number of arguments, rest arguments",
}
_KINDS = {
    "method": "method, instance method",
    "constructor": "constructor",
    "class": "class",
    "interface": "interface",
    "enum": "enum, enumeration",
    "type alias": "type alias",
    "property": "property",
}
_NUMBERS = {
    "0": "no, zero, without",
    "1": "one, unary",
    "2": "two, a couple of",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
}
_BOUNDS = {
    ">=": "at least, no fewer than, no less than, not less than, minimum of, a minimum of",
    "<=": "at most, no more than, up to, not more than, a maximum of",
    ">": "more than",
    "<": "fewer than, less than",
}
# Verbs of taking that do not list all arguments.
_PARTIAL_TAKE = "given, when given, called on, provided"
# Verbs that imply the type of the result.
_VERB_RESULTS = {
    "number": """count, counts, counting, sum, sums, summing, add up, adds up, measure, measures,
        sum up, sums up""",
    "boolean": "exists, contains",
}
# Adjectives, although a type may be called ``Next``.
ADJECTIVES = frozenset(("next", "previous", "current", "latest", "new", "other", "same", "whole"))
# Words in -s that are no plurals.
NOT_PLURAL = frozenset(
    ("class", "this", "is", "address", "process", "access", "alias", "canvas", "status", "as")
)


def _entries() -> Iterator[tuple[str, Sense]]:
    """Yield each term with one of its senses; the last sense of a term is the default."""
    for tag, table in (
        ("ROLE", _ROLES),
        ("FLAG", _FLAGS),
        ("KIND", _KINDS),
        ("COUNT", _NUMBERS),
        ("DET", _ARTICLES),
    ):
        yield from _with_tag(tag, table)
    yield from ((term, Sense("UNIT", "number")) for term in _split(_UNITS))
    yield from _with_tag("VERB", _VERB_RESULTS)
    yield from ((term, Sense("TAKE", "partial")) for term in _split(_PARTIAL_TAKE))
    for table in (_VERBS, _FUNCTION_WORDS):
        for tag, terms in table.items():
            yield from ((term, Sense(tag, "")) for term in _split(terms))
    for tag, table in (
        ("BOUND", _BOUNDS), ("VALUE", _VALUES), ("FUNC", _FUNCTION_TYPES), ("PAIR", _PAIRS),
        ("KEYED", _KEYED), ("LIST", _LISTS), ("LIBRARY", _LIBRARY), ("ATOM", _TYPES),
    ):  # fmt: skip
        yield from _with_tag(tag, table)


def _with_tag(tag: str, table: Mapping[str, str]) -> Iterator[tuple[str, Sense]]:
    for meaning, terms in table.items():
        yield from ((term, Sense(tag, meaning)) for term in _split(terms))


def _split(terms: str) -> Iterator[str]:
    for term in terms.split(","):
        yield " ".join(term.split())


def _lexicon() -> Mapping[tuple[str, ...], tuple[Sense, ...]]:
    senses: dict[tuple[str, ...], tuple[Sense, ...]] = {}
    for term, sense in _entries():
        words = tuple(term.split())
        senses[words] = (*senses.get(words, ()), sense)
    return senses


# The senses of each term, by its words; ``local_context`` chooses among several.
LEXICON: Mapping[tuple[str, ...], tuple[Sense, ...]] = _lexicon()
MAX_TERM_WORDS = max(map(len, LEXICON))
