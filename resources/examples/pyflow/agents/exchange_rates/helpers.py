"""Functions of the workflow's code agents."""

import json
from statistics import mean


def pair_of(request):
    """Returns the name of a pair of currencies, such as GBP-JPY."""
    return f"{request['base']}-{request['target']}".upper()


def trend_of(rates):
    """Returns the average of last month's rates and the change since then in percent."""
    found = json.loads(rates)
    average = mean(found["month"])
    return {"average": round(average, 2), "change": round((found["today"] / average - 1) * 100, 2)}
