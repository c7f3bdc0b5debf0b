"""The converter gives the frames of the command, from arrays of any layout and from PyAV."""

import gc
import threading
import time
from fractions import Fraction

import av
import dndi
import numpy as np
import pytest
from conftest import ROOT, Clip

DEPTH = ROOT / "tests" / "golden" / "depth"
DNDI = ROOT / "tests" / "golden" / "dndi"

CASES = [
    (ROOT / "samples" / "interlaced.y4m", {}),
    (ROOT / "samples" / "interlaced.y4m", {"deinterlacer": "best", "denoise_motion": True}),
    (ROOT / "samples" / "interlaced.y4m", {"rate": "frame", "scale": (96, 72), "location": "left"}),
    (ROOT / "samples" / "interlaced.y4m", {"preset": "driver", "set": {"stad_th": 90}}),
    (ROOT / "samples" / "interlaced.y4m", {"output_depth": 10, "sharpen": "detail5", "brightness": 4.5}),
    (ROOT / "samples" / "interlaced.y4m", {"colorspace": "bt601:bt709-full", "std": True, "ste": True}),
    (ROOT / "samples" / "interlaced.y4m", {"drop_outs": True, "chroma_shift": "-1,0.5", "denoise_filter": "5x5", "lace": True}),
    (ROOT / "samples" / "interlaced.y4m", {"gamma": 1.2, "convolve": "1,2,1", "rotate": 90, "canvas": "160x200+8+4", "output_chroma": 444}),
    (DEPTH / "p10_film22_420_tff.y4m", {"film": "reconstruct"}),
    (DEPTH / "p16_random_444_bff.y4m", {"denoise": "medium", "output_depth": 8}),
    (DEPTH / "p9_edges_mono.y4m", {"threads": 2, "set": ["stad_th=90"]}),
    (DNDI / "edges_s+5_411_tff.y4m", {}),
]


def options_of(options):
    """The options as arguments, written without the module."""
    found = []
    for name, value in options.items():
        name = "--depth" if name == "output_depth" else f"--{name.replace('_', '-')}"
        if name == "--location":
            continue
        if name == "--set":
            items = [f"{key}={number}" for key, number in value.items()] if isinstance(value, dict) else value
            found += [argument for item in items for argument in (name, item)]
        elif name in ("--std", "--ste", "--drop-outs", "--lace"):
            found.append(name)
        elif name == "--scale":
            found += [name, "96x72"]
        else:
            found += [name, "on" if value is True else str(value)]
    return found


@pytest.mark.parametrize("path, options", CASES, ids=[str(number) for number in range(len(CASES))])
def test_frames_are_those_of_the_command(path, options, command, tmp_path):
    clip = Clip(path)
    command("-q", *options_of(options), path, tmp_path / "out.y4m")
    expected = Clip(tmp_path / "out.y4m")
    location = {} if "location" in options or clip.sampling != "420" else {"location": "left"}
    converter = dndi.Converter(*clip.clip, **clip.properties, **{**location, **options})
    outputs = list(converter.convert(clip.frames))
    assert len(outputs) == len(expected.frames) > 0
    for output, planes in zip(outputs, expected.frames):
        assert (output.width, output.height, output.sampling, output.depth) == expected.clip
        assert all(np.array_equal(a, b) for a, b in zip(output.planes, planes))
    plan = converter.plan
    assert (plan.width, plan.height, plan.sampling, plan.depth) == expected.clip
    rate = Fraction(clip.rate.replace(":", "/")) * plan.ratio
    assert rate == Fraction(expected.rate.replace(":", "/"))


def test_times_and_user_data(film_clip):
    clip = Clip(film_clip)
    converter = dndi.Converter(*clip.clip, rate="film", frame_rate=Fraction(30000, 1001))
    outputs = []
    for number, planes in enumerate(clip.frames):
        converter.push(planes, user={"number": number})
        outputs += converter
    converter.finish()
    outputs += converter
    assert converter.plan.ratio == Fraction(4, 5)
    assert [output.number for output in outputs] == list(range(48))
    assert all(output.time == 5 * number and output.duration == 5 for number, output in enumerate(outputs))
    assert all(output.user == {"number": output.field // 2} for output in outputs)
    assert {output.content for output in outputs} == {"film"}
    assert {output.scan for output in outputs} == {"tff"}


def test_planes_of_any_layout(sample):
    clip = Clip(sample)

    def md(layout):
        converter = dndi.Converter(*clip.clip, interlacing="tff")
        return [output.data.copy() for output in converter.convert(map(layout, clip.frames))]

    def padded(planes):
        wide = [np.full((plane.shape[0] + 2, plane.shape[1] + 7), 99, np.uint8) for plane in planes]
        for target, plane in zip(wide, planes):
            target[1:-1, 3:-4] = plane
        return [plane[1:-1, 3:-4] for plane in wide]

    layouts = [
        padded,
        lambda planes: [np.asfortranarray(plane) for plane in planes],
        lambda planes: [plane[::-1].copy()[::-1] for plane in planes],
        lambda planes: [np.repeat(plane, 2, axis=1)[:, ::2] for plane in planes],
        tuple,
    ]
    expected = md(list)
    for layout in layouts:
        assert all(np.array_equal(a, b) for a, b in zip(md(layout), expected, strict=True))


def test_words_above_the_depth_are_limited():
    planes = np.full((16, 16), 4000, np.uint16)
    [output] = dndi.Converter(16, 16, "mono", 10, denoise="off").convert([planes])
    assert output.planes[0].max() == 1023


def test_outputs_own_their_memory_without_a_copy(sample):
    clip = Clip(sample)
    output = next(dndi.Converter(*clip.clip, interlacing="tff").convert(clip.frames))
    assert all(np.shares_memory(plane, output.data) for plane in output.planes)
    luma, before = output.planes[0], output.planes[0].copy()
    del output
    gc.collect()
    assert np.array_equal(luma, before) and luma.flags.writeable
    luma[:] = 0


def test_errors_have_the_message_of_the_library():
    with pytest.raises(dndi.OptionError, match="rate: no output rate 'half'; there are: field, frame, film"):
        dndi.Converter(64, 48, rate="half")
    with pytest.raises(dndi.OptionError, match="no_such: there is no such option|no-such: there is no such option"):
        dndi.Converter(64, 48, no_such=1)
    with pytest.raises(dndi.OptionError, match="the film rate needs field matching"):
        dndi.Converter(64, 48, rate="film", film="off")
    with pytest.raises(dndi.Error, match="picture size 9000x48"):
        dndi.Converter(9000, 48)
    converter = dndi.Converter(64, 48, "mono")
    with pytest.raises(dndi.Error, match=r"plane 0 is a uint16 array of shape \(48, 64\); it must be a uint8 array of 48 rows"):
        converter.push(np.zeros((48, 64), np.uint16))
    with pytest.raises(dndi.Error, match=r"shape \(64, 48\)"):
        converter.push(np.zeros((64, 48), np.uint8))
    with pytest.raises(dndi.Error, match="2 planes are given, 1 are needed"):
        converter.push([np.zeros((48, 64), np.uint8)] * 2)
    with pytest.raises(dndi.Error, match="plane 0 is no array"):
        converter.push(["text"])
    with pytest.raises(dndi.Error, match="no scan 'up'"):
        converter.push(np.zeros((48, 64), np.uint8), "up")
    converter.finish()
    with pytest.raises(dndi.EndedError, match="the clip has ended"):
        converter.push(np.zeros((48, 64), np.uint8))
    assert converter.pull() is None and issubclass(dndi.EndedError, dndi.Error) and issubclass(dndi.Error, ValueError)


def test_the_lock_is_released():
    """Another thread of Python advances while a frame is processed."""
    frames = [np.random.default_rng(n).integers(0, 255, (1080, 1920), np.uint8) for n in range(4)]
    converter = dndi.Converter(1920, 1080, "mono", interlacing="tff", field_order="tff", film="off", deinterlacer="best")
    for frame in frames:
        converter.push(frame)
    converter.finish()
    ticks, longest, running = 0, 0.0, True

    def count():
        nonlocal ticks
        while running:
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.perf_counter()
    before = ticks
    while (output := converter.pull()) is not None:
        now = time.perf_counter()
        if now - begin > longest:
            longest, during = now - begin, ticks - before
        begin, before = now, ticks
    running = False
    thread.join()
    # A call that held the lock would permit one step of the other thread.
    assert during >= 5, (longest, during)


@pytest.mark.parametrize("name", ["yuv420p", "yuv422p10le", "yuv444p", "gray", "gray16le", "yuv411p", "yuvj420p"])
def test_frames_of_pyav(name):
    rng = np.random.default_rng(1)
    frames, arrays = [], []
    for _ in range(6):
        frame = av.VideoFrame(60, 48, name)
        for plane in frame.planes:
            plane.update(rng.integers(0, 4, plane.buffer_size, np.uint8).tobytes())
        planes = dndi.frame.av_planes(frame)
        kind = np.uint8 if frame.planes[0].line_size < 120 else np.uint16
        assert [plane.dtype for plane in planes] == [kind] * len(planes)
        frames.append(frame)
        arrays.append([plane.copy() for plane in planes])
    converter = dndi.Converter.for_av(frames[0], interlacing="tff", field_order="tff", chroma="same")
    outputs = list(converter.convert(frames))
    again = dndi.Converter(
        60, 48, *dndi.frame.of_pixel_format(name), interlacing="tff", field_order="tff", location="left",
        range="full" if name.startswith("yuvj") else "limited",
    )
    assert len(outputs) == 12
    for output, expected in zip(outputs, again.convert(arrays), strict=True):
        assert np.array_equal(output.data, expected.data)
        back = output.to_av()
        assert (back.width, back.height) == (60, 48)
        for plane, expected_plane in zip(dndi.frame.av_planes(back), output.planes, strict=True):
            assert np.array_equal(plane, expected_plane)


def test_decoding_and_encoding_with_pyav(tmp_path, sample):
    """A file that PyAV encodes, decodes, converts and encodes again."""
    clip = Clip(sample)
    with av.open(str(tmp_path / "in.mkv"), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = clip.width, clip.height, "yuv420p"
        for planes in clip.frames:
            frame = av.VideoFrame(clip.width, clip.height, "yuv420p")
            for target, plane in zip(dndi.frame.av_planes(frame), planes):
                target[:] = plane
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    with av.open(str(tmp_path / "in.mkv")) as source, av.open(str(tmp_path / "out.mkv"), "w") as target:
        frames = source.decode(video=0)
        converter = dndi.Converter(*clip.clip, interlacing="tff", location="left")
        stream = target.add_stream("ffv1", rate=50)
        stream.width, stream.height, stream.pix_fmt = clip.width, clip.height, "yuv420p"
        for output in converter.convert(frames):
            frame = output.to_av()
            frame.pts, frame.time_base = output.time // 2, Fraction(1, 50)
            target.mux(stream.encode(frame))
        target.mux(stream.encode())
    expected = dndi.Converter(*clip.clip, interlacing="tff", location="left").convert(clip.frames)
    with av.open(str(tmp_path / "out.mkv")) as target:
        decoded = list(target.decode(video=0))
    for frame, output in zip(decoded, expected, strict=True):
        assert np.array_equal(dndi.frame.av_planes(frame)[0], output.planes[0])
    assert len(decoded) == 2 * len(clip.frames)


def test_unsupported_frames_of_pyav_are_refused():
    with pytest.raises(dndi.Error, match="the pixel format rgb24 is not supported"):
        dndi.Converter.for_av(av.VideoFrame(16, 16, "rgb24"))
